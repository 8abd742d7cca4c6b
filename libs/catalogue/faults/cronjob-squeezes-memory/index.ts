import {
  affectedObjects,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnName,
  keepsData,
  kinds,
  kubectl,
  lastSuccessOf,
  objectName,
  offeredWorkloads,
  parametersOf,
  patchCommand,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  targetName,
  waitFor,
  waitingPods,
  z,
} from "@microremed/catalogue";
import { tinyLimitOfCronJob } from "./evidence.ts";
import { limitPath, readLimits, rightLimit, sizerObjects, valueField, valuePath } from "./sizer.ts";

const parameters = z.object({
  memory: z
    .string()
    .regex(/^\d+(Ki|Mi)$/)
    .default("4Mi")
    .describe("limit that the CronJob sets; less than the program needs to start"),
  sizer: objectName.default("right-sizer").describe("the CronJob, its account and its Role"),
});

const kind = kinds.cronJob;
/** Programs that need less live on the limit. */
const leastMi = 8;
/** Cluster time, ms, until a run of the CronJob is due and done. */
const dueWithinMs = 120_000;

const setTo = (context: RemedyContext, value: string): string =>
  patchCommand(context, kind, parametersOf(parameters, context).sizer, [
    { op: "replace", path: valuePath, value },
  ]);
const limitTo = (context: RemedyContext, value: string): string[] => [
  patchCommand(context, kinds.deployment, context.name, [{ op: "replace", path: limitPath, value }]),
  awaitRollout(context),
];

const setValue: Remedy = {
  name: "set-value",
  doc: "the expert's fix: the CronJob sets the limit that was there before, at its next run",
  commands: (context) => [setTo(context, rightLimit(context))],
};

const setBoth: Remedy = {
  name: "set-both",
  doc: "corrects the CronJob, and gives the workload its limit back at once",
  commands: (context) => [setTo(context, rightLimit(context)), ...limitTo(context, rightLimit(context))],
};

const limitOnly: Remedy = {
  name: "limit-only",
  doc: "gives the workload its limit back, which the next run takes away again",
  commands: (context) => limitTo(context, rightLimit(context)),
};

const otherValue: Remedy = {
  name: "other-value",
  doc: "lets the CronJob set another limit that is too small",
  commands: (context) => [setTo(context, "5Mi"), ...limitTo(context, "5Mi")],
};

const undo: Remedy = {
  name: "undo",
  doc: "goes back to the revision before, until the next run",
  commands: (context) => [
    `${kubectl(context)} rollout undo deployment/${context.name}`,
    awaitRollout(context),
  ],
};

const labels: CauseLabels = {
  mechanism: "resources-too-small",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

/** The limit of the last revision of a Deployment that had 16 MiB or more. */
const lastEnough = (namespace: string, target: string): string =>
  `$(${[
    `kubectl -n ${namespace} get replicasets -o jsonpath='{range .items[*]}{.metadata.ownerReferences[0].name} {.metadata.annotations.deployment\\.kubernetes\\.io/revision} {.spec.template.spec.containers[0].resources.limits.memory}{"\\n"}{end}'`,
    `grep '^${target} '`,
    "sort -k2 -rn",
    "grep -vE ' ([0-9]+Ki|[0-9]Mi|1[0-5]Mi)?$'",
    "head -1",
    "cut -d' ' -f3",
  ].join(" | ")})`;

const correct: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get cronjobs,replicasets`,
  act: ({ namespace, target, finding }) => {
    const name = finding?.object.name ?? "right-sizer";
    const right = `right=${finding?.right ?? lastEnough(namespace, target)}`;
    const set = (command: string): string => command.replace("<right>", `'"$right"'`);
    const to = (path: string) => [{ op: "replace" as const, path, value: "<right>" }];
    return {
      title: `Let ${name} give ${target} enough memory`,
      commands: [
        [
          `${right} && [ -n "$right" ]`,
          set(patchCommand({ namespace }, kind, name, to(valuePath))),
          set(patchCommand({ namespace }, kinds.deployment, target, to(limitPath))),
        ].join(" && "),
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    };
  },
};

/** A CronJob of the system sets a memory limit of the target every minute, and sets one on which no program can live. */
export default defineFault({
  name: "cronjob-squeezes-memory",
  title: "CronJob that sets a memory limit too small",
  description: "cronjob-squeezes-memory: the programs of the service are killed again and again",
  parameters,
  drawn: {
    // The API server writes a multiple of 1024 with the next unit.
    memory: (rng) => `${3073 + rng.int(4) * 1024 + rng.int(1023)}Ki`,
    sizer: drawnName("sizer", "updater", "tuner", "rebalance", "quota"),
  },
  withoutTwin: "no environment has a CronJob: that of the fault is there for it alone",
  symptom: "ready",
  recovery: ["ready", "serving", "memory"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload, container }, environment) => {
    if (workload.kind !== "Deployment") return `${name} is no Deployment`;
    if (workload.containers[0] !== container) return `the program of ${name} is not its first container`;
    if (container.resources.requests.memory !== undefined)
      return `${name} asks for more memory than it could be limited to`;
    if (container.behaviour.memoryMi < leastMi) return `${name} needs hardly any memory`;
    return keepsData(environment, name) ? `${name} keeps data, which a new pod may not have` : undefined;
  }),
  setting: sizerObjects,
  isSettled: async (context) => {
    const { cluster, namespace, parameters } = context;
    return lastSuccessOf(await cluster.get(kind, namespace, parameters.sizer)) !== undefined;
  },
  async inject(context) {
    const { cluster, namespace, parameters, signal } = context;
    const { sizer, memory } = parameters;
    await cluster.patch(kind, namespace, sizer, {
      type: "json",
      body: [{ op: "replace", path: valuePath, value: memory }],
    });
    await waitFor(
      {
        clock: cluster.clock,
        what: `${sizer} to set a limit`,
        timeoutMs: dueWithinMs,
        intervalMs: 1_000,
        ...(signal && { signal }),
      },
      async () => (await readLimits(context)).has === memory || undefined,
    );
  },
  async status(context) {
    const right = rightLimit(context);
    const { set, has } = await readLimits(context);
    const isWrong = set !== undefined && set !== right;
    const isLimited = has !== right;
    return {
      present: isWrong || isLimited,
      injected: isWrong && isLimited,
      pods: await waitingPods(context),
      expiresAt: null,
      note: `${context.parameters.sizer} sets ${set ?? "nothing"}; ${targetName(context)} may use ${has ?? "any"} memory`,
    };
  },
  async remove(context) {
    const { cluster, namespace, parameters } = context;
    const value = rightLimit(context);
    const { set, has } = await readLimits(context);
    const patch = (path: string) => ({
      type: "json" as const,
      body: [{ op: "replace" as const, path, value }],
    });
    if (set !== undefined && set !== value)
      await cluster.patch(kind, namespace, parameters.sizer, patch(valuePath));
    if (has !== undefined && has !== value)
      await cluster.patch(kinds.deployment, namespace, targetName(context), patch(limitPath));
  },
  truth: (context) => {
    const { sizer, memory } = context.parameters;
    const cause = { kind: kind.kind, name: sizer };
    return {
      objects: [{ ...cause, field: valueField(context), wrong: memory, right: rightLimit(context) }],
      affected: [cause, ...affectedObjects(context)],
      ...labels,
      explanation: `the CronJob ${sizer} limits ${context.target} to ${memory} of memory every minute, and it needs more, so it is killed as soon as it has started`,
    };
  },
  repairs: [setValue, setBoth],
  runbook: correct,
  evidence: tinyLimitOfCronJob(labels),
  shortcuts: [limitOnly, otherValue, undo, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
});
