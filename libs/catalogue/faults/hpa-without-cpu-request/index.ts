import {
  type ContainerSpec,
  defineFault,
  deletePods,
  type FaultContext,
  keepsData,
  kinds,
  kubectl,
  offeredWorkloads,
  type Place,
  patchCommand,
  type Remedy,
  restartEverything,
  restartingShortcuts,
  type TruthContext,
  targetOf,
  workloadFault,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { autoscalerOf } from "./autoscaler.ts";
import { missingRequest } from "./evidence.ts";

const kind = kinds.horizontalPodAutoscaler;

function placeOf({ environment, target }: TruthContext): Place {
  const place = targetOf(environment, target);
  if (!place) throw new Error(`${environment.name} has no workload for ${target}`);
  return place;
}

/** Without its CPU request and its CPU limit, which would be taken for the request. Undefined: it must not be there. */
const withoutCpu = ({ resources: { requests, limits } }: ContainerSpec) => ({
  requests: withoutOwn(requests),
  limits: withoutOwn(limits),
});

/** The API server leaves out amounts that are none. */
function withoutOwn(amounts: ContainerSpec["resources"]["limits"]) {
  const isAlone = Object.keys(amounts).every((name) => name === "cpu");
  return isAlone ? undefined : { ...amounts, cpu: undefined };
}

const Conditions = z.object({ conditions: z.array(z.object({ type: z.string(), status: z.string() })) });

async function isComputing({ cluster, namespace, ...where }: FaultContext): Promise<boolean> {
  const scaler = await cluster.get(kind, namespace, placeOf(where).name);
  const { conditions = [] } = Conditions.safeParse(scaler?.["status"]).data ?? {};
  return conditions.some(({ type, status }) => type === "ScalingActive" && status === "True");
}

const deleteScaler: Remedy = {
  name: "delete-autoscaler",
  doc: "deletes the autoscaler that computes nothing",
  commands: (context) => [`${kubectl(context)} delete hpa ${context.name}`],
};

const scaleByHand: Remedy = {
  name: "scale-by-hand",
  doc: "adds a replica by hand, while the autoscaler stays blind",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=${context.workload.replicas + 1}`,
  ],
};

const byMemory: Remedy = {
  name: "by-memory",
  doc: "lets the autoscaler follow the memory instead of the CPU",
  commands: (context) => [
    patchCommand(context, kind, context.name, [
      { op: "replace", path: "/spec/metrics/0/resource/name", value: "memory" },
    ]),
  ],
};

/** A workload that is scaled by its use of CPU does not request any: the autoscaler has nothing to compare with. */
export default defineFault({
  name: "hpa-without-cpu-request",
  title: "Autoscaler without a CPU request",
  description: "hpa-without-cpu-request: the service is not scaled with its load",
  withoutDraw: "what is wrong is that a value is not there",
  symptom: "autoscaled",
  recovery: ["ready", "serving", "config", "cpu", "memory", "autoscaled"],
  resourcesMayDiffer: true,
  ...offeredWorkloads(({ name, workload }, environment) =>
    workload.kind === "Deployment" &&
    workload.replicas > 0 &&
    !keepsData(environment, name) &&
    workload.containers.every(({ resources }) => resources.requests.cpu !== undefined)
      ? undefined
      : `${name} is no Deployment without data whose containers all request CPU`,
  ),
  setting: (context) => [autoscalerOf(context.environment, placeOf(context))],
  isSettled: isComputing,
  ...workloadFault({
    parameters: z.object({}),
    edits: [
      {
        of: "container",
        field: "resources",
        wrong: (_, { container }) => withoutCpu(container),
        cause: (_, { container }) => ({
          path: ".requests.cpu",
          wrong: "none",
          right: container.resources.requests.cpu ?? "none",
        }),
      },
    ],
    explanation: ({ target }) =>
      `${target} is scaled by the share of its CPU request that it uses, and requests no CPU, so its autoscaler can compute nothing`,
    mechanism: "scaled-away",
    systemLevel: "Virtualization",
    faultType: "Misconfiguration",
    evidence: missingRequest,
  }),
  shortcuts: [restartEverything, deletePods, deleteScaler, scaleByHand, byMemory],
  notShortcuts: restartingShortcuts,
});
