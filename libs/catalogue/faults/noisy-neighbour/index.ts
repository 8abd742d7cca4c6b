import {
  affectedObjects,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnName,
  type Environment,
  type FaultContext,
  isRolledOut,
  kinds,
  neededMillis,
  offeredWorkloads,
  type Place,
  type Pod,
  parseQuantity,
  restartEverything,
  targetName,
} from "@microremed/catalogue";
import {
  batchDeployment,
  batchObjects,
  limitField,
  limitPath,
  parameters,
  quantity,
  type Where,
} from "./batch.ts";
import { limitTakenAway } from "./evidence.ts";
import {
  deleteBatchPods,
  limitAgain,
  limitFound,
  limitTooHigh,
  pauseBatch,
  restartBatch,
  undoRollout,
} from "./remedies.ts";

type Context = FaultContext & Where;

/** What the kernel leaves a container without a request beside the batch is some 35 millicores: with clearly more its requests wait. */
const leastMillis = 48;
/** A program that asks for no CPU and needs more than this would suffer as well. */
const mostUnasked = 20;

/** Another workload that would suffer too, as it asks for no CPU either. */
const alsoUnasked = (environment: Environment, { name }: Place): string | undefined =>
  Object.entries(environment.workloads).find(
    ([other, workload]) =>
      other !== name &&
      workload.containers.some(
        (container) =>
          parseQuantity(container.resources.requests.cpu) === undefined &&
          neededMillis(environment, { name: other, workload, container }) > mostUnasked,
      ),
  )?.[0];

function whyUndisturbed(place: Place, environment: Environment): string | undefined {
  const { name, workload, container } = place;
  if (workload.kind !== "Deployment") return `${name} is no Deployment`;
  if (workload.containers[0] !== container) return `the program of ${name} is not its first container`;
  if (neededMillis(environment, place) < leastMillis)
    return `${name} needs so little CPU that it gets it on a full node, too`;
  const other = alsoUnasked(environment, place);
  return other && `${other} asks for no CPU either and would suffer as well`;
}

/** Whether the batch's Deployment lacks the limit, and its pods without one that run. */
async function unlimited(context: Context): Promise<{ readonly isSet: boolean; readonly pods: string[] }> {
  const { cluster, namespace } = context;
  const { batch } = context.parameters;
  const [deployment, pods] = await Promise.all([
    cluster.get(kinds.deployment, namespace, batch),
    cluster.list(kinds.pod, { namespace, labelSelector: `app=${batch}` }),
  ]);
  const lacksLimit = (spec: Pod["spec"]): boolean =>
    spec?.containers[0] !== undefined && spec.containers[0].resources?.limits?.["cpu"] === undefined;
  return {
    isSet: lacksLimit(deployment?.spec?.template?.spec),
    pods: pods.flatMap(({ metadata, spec, status }) =>
      !metadata.deletionTimestamp && status?.phase === "Running" && lacksLimit(spec) ? [metadata.name] : [],
    ),
  };
}

const labels: CauseLabels = {
  mechanism: "resources-taken",
  systemLevel: "Virtualization",
  faultType: "Misconfiguration",
};

/** A batch workload has lost its limit and takes the nodes' CPU: a service that asks for none gets hardly any. */
export default defineFault({
  name: "noisy-neighbour",
  title: "Batch workload that takes the nodes' CPU",
  description: "noisy-neighbour: requests to the service are slow or fail",
  parameters,
  strengths: [{ name: "more of each node", parameters: { cpu: 13_500 } }],
  drawn: {
    batch: drawnName("transcoder", "encoder", "render", "thumbnails", "previews", "video"),
    cpu: (rng) => 11_010 + 10 * rng.int(90),
  },
  symptom: "requests",
  recovery: ["ready", "serving", "requests"],
  rightActions: [],
  // With a request of CPU, which a limit is too, the target keeps what it needs.
  hiddenBy: [
    "spec.template.spec.containers[].resources.limits",
    "spec.template.spec.containers[].resources.requests",
  ],
  ...offeredWorkloads(whyUndisturbed),
  setting: batchObjects,
  alternatives: (context) =>
    [true, false].map((isLimited) => batchDeployment(context, { isLimited, pods: 0 })),
  isSettled: async (context) =>
    (await isRolledOut(context, context.parameters.batch)) &&
    (await isRolledOut(context, targetName(context))),
  async inject(context) {
    const { cluster, namespace } = context;
    if ((await unlimited(context)).isSet) return;
    const body = [{ op: "remove" as const, path: limitPath }];
    await cluster.patch(kinds.deployment, namespace, context.parameters.batch, { type: "json", body });
  },
  async status(context) {
    const { isSet, pods } = await unlimited(context);
    const { batch } = context.parameters;
    return {
      present: isSet || pods.length > 0,
      injected: isSet && pods.length > 0,
      pods,
      expiresAt: null,
      note: `${batch} has ${isSet ? "no" : "a"} limit of CPU; pods of it without one: ${pods.length}`,
    };
  },
  async remove(context) {
    const { cluster, namespace } = context;
    const { batch, cpu } = context.parameters;
    const { isSet, pods } = await unlimited(context);
    const body = [{ op: "add" as const, path: limitPath, value: quantity(cpu) }];
    if (isSet) await cluster.patch(kinds.deployment, namespace, batch, { type: "json", body });
    for (const pod of pods) await cluster.delete(kinds.pod, namespace, pod);
  },
  truth: (context) => {
    const { batch, cpu } = context.parameters;
    const cause = { kind: kinds.deployment.kind, name: batch };
    return {
      objects: [{ ...cause, field: limitField(context), wrong: "none", right: quantity(cpu) }],
      affected: [cause, ...affectedObjects(context)],
      ...labels,
      explanation: `${batch} has no limit of CPU any more and takes all of each node, and ${context.target}, which asks for none, gets the least share of what is left`,
    };
  },
  repairs: [limitAgain, undoRollout, pauseBatch],
  runbook: limitFound,
  evidence: limitTakenAway(labels),
  shortcuts: [limitTooHigh, restartBatch, deleteBatchPods, restartEverything, deletePods],
});
