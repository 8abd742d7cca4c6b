import {
  affectedObjects,
  anotherDeployment,
  type CauseLabels,
  defineFault,
  deletePods,
  dropLimits,
  type Environment,
  endPods,
  type FaultContext,
  findWorkload,
  kinds,
  kubectl,
  offeredWorkloads,
  operatorsQuota,
  type Place,
  parametersOf,
  parseQuantity,
  patchCommand,
  type Remedy,
  type RemedyContext,
  type Runbook,
  refusedStatus,
  restartEverything,
  restartingShortcuts,
  restartTarget,
  restartWorkload,
  type WithParameters,
  type WorkloadSpec,
  z,
} from "@microremed/catalogue";
import { refusedByQuota } from "./evidence.ts";

const parameters = z.object({
  memory: z
    .string()
    .regex(/^\d+(Ki|Mi|Gi)$/)
    .default("64Mi")
    .describe("how much memory all pods of the namespace together may request, and have as their limits"),
});
type Context = WithParameters<z.output<typeof parameters>>;

const kind = kinds.resourceQuota;
const name = operatorsQuota;
const hardOf = (memory: string) => ({ "limits.memory": memory, "requests.memory": memory });

async function inject(context: FaultContext & Context): Promise<void> {
  const { cluster, namespace } = context;
  const { apiVersion } = kind;
  const spec = { hard: hardOf(context.parameters.memory) };
  await cluster.apply({ apiVersion, kind: kind.kind, metadata: { name, namespace }, spec });
  await endPods(context);
}

/** The limits of a workload's pods, bytes; undefined: a container has none, and no such quota admits it. */
function memoryOf({ containers, initContainers, replicas }: WorkloadSpec): number | undefined {
  const amounts = (some: WorkloadSpec["containers"]) =>
    some.map(({ resources: { limits } }) => limits.memory);
  const [first, later] = [amounts(initContainers), amounts(containers)];
  if ([...first, ...later].includes(undefined)) return undefined;
  return replicas * later.reduce((sum, amount) => sum + (parseQuantity(amount) ?? 0), 0);
}

const declaresAll = ({ workloads }: Environment): boolean =>
  Object.values(workloads).every((workload) => memoryOf(workload) !== undefined);

/** Why a quota of the default size would admit a new pod of the workload. */
function whyAdmitted({ name: workload, workload: spec }: Place): string | undefined {
  const most = parseQuantity(parameters.parse({}).memory) ?? 0;
  const memory = memoryOf(spec);
  return memory === undefined || memory > most ? undefined : `${workload} fits into such a quota by itself`;
}

const deleteQuota: Remedy = {
  name: "delete-quota",
  doc: "the expert's fix: deletes the quota and starts the workload again",
  commands: (context) => [`${kubectl(context)} delete resourcequota ${name}`, ...restartTarget(context)],
};

const setQuota = (context: RemedyContext, memory: string): string[] => [
  patchCommand(context, kind, name, [{ op: "add", path: "/spec/hard", value: hardOf(memory) }]),
  ...restartTarget(context),
];

const raiseQuota: Remedy = {
  name: "raise-quota",
  doc: "allows as much memory as all pods and a rollout of each need",
  applies: ({ environment }) => declaresAll(environment),
  commands: (context) => setQuota(context, "512Gi"),
};

const raiseTooLittle: Remedy = {
  name: "raise-too-little",
  doc: "allows a little more memory, which the next pod exceeds too",
  commands: (context) => {
    const bytes = parseQuantity(parametersOf(parameters, context).memory) ?? 0;
    return setQuota(context, String(bytes + 1024));
  },
};

const labels: CauseLabels = {
  mechanism: "refused-on-creation",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

const deleteFound: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get resourcequotas`,
  act: (found) => ({
    title: `Delete the quota that refuses pods of ${found.target}`,
    commands: [
      findWorkload(found),
      `kubectl -n ${found.namespace} delete resourcequota ${found.finding?.object.name ?? name} --ignore-not-found`,
      ...restartWorkload(found),
    ],
  }),
};

/** A quota on the namespace's memory refuses new pods of the target. */
export default defineFault({
  name: "namespace-memory-quota",
  title: "Quota on memory",
  description: "namespace-memory-quota: the service's pods are not created",
  parameters,
  strengths: [{ name: "one-mebibyte", parameters: { memory: "1Mi" } }],
  drawn: { memory: (rng) => `${8 * 1024 + 1 + rng.int(55) * 1024 + rng.int(1022)}Ki` },
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(whyAdmitted),
  inject,
  status: (context) => refusedStatus(context, { kind, namespace: context.namespace, name }),
  remove: async ({ cluster, namespace }) => {
    await cluster.delete(kind, namespace, name);
  },
  truth: (context) => {
    const { memory } = context.parameters;
    return {
      objects: [
        {
          kind: kind.kind,
          name,
          field: "spec.hard",
          wrong: JSON.stringify(hardOf(memory)),
          right: "no such object",
        },
      ],
      affected: [{ kind: kind.kind, name }, ...affectedObjects(context)],
      ...labels,
      explanation: `the ResourceQuota ${name} allows pods ${memory} of memory, so new pods of ${context.target} are refused`,
    };
  },
  repairs: [deleteQuota, raiseQuota],
  runbook: deleteFound,
  evidence: refusedByQuota(labels),
  shortcuts: [raiseTooLittle, dropLimits, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
