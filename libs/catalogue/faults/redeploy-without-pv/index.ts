import {
  affectedObjects,
  anotherDeployment,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  drawnEnding,
  endPods,
  type FaultContext,
  kinds,
  kubectl,
  objectName,
  offeredWorkloads,
  parametersOf,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  type WithParameters,
  waitingPods,
  withObject,
  workloadPath,
  z,
} from "@microremed/catalogue";
import { awaitClaim, claimNameOf, declaredClaim, pinnedClaim, volumeName } from "./claim.ts";
import { absentVolume } from "./evidence.ts";

const parameters = z.object({
  volume: objectName.default("pv").describe("begins the name of the volume that the claim asks for"),
});
type Context = FaultContext & WithParameters<z.output<typeof parameters>>;

const kind = kinds.persistentVolumeClaim;

async function status(context: Context) {
  const { cluster, namespace, target } = context;
  const { name } = declaredClaim(context).metadata;
  const claim = await cluster.get(kind, namespace, name);
  const asked = (claim?.["spec"] as { volumeName?: string } | undefined)?.volumeName;
  const isPinned = asked === volumeName(context, context.parameters.volume);
  const pods = await waitingPods(context);
  return {
    present: isPinned,
    injected: isPinned && pods.length > 0,
    pods,
    expiresAt: null,
    note: `the claim ${name} ${isPinned ? "asks" : "does not ask"} for a volume that is not there; pods of ${target} that wait: ${pods.length}`,
  };
}

/** Deletes the claim, with it its volume, and makes this one in its place. The pods that have mounted it end. */
async function makeAgain(context: Context, claim: ReturnType<typeof declaredClaim>): Promise<void> {
  const { cluster, namespace } = context;
  await cluster.delete(kind, namespace, claim.metadata.name);
  await endPods(context);
  await awaitClaim(context, "to go");
  await cluster.create(claim);
}

const deleteIt = (context: RemedyContext): string =>
  `${kubectl(context)} delete pvc ${declaredClaim(context).metadata.name} --timeout=60s`;

const claimAgain: Remedy = {
  name: "claim-again",
  doc: "the expert's fix: deletes the claim, which never had a volume, and makes it as it is declared",
  commands: (context) => [
    deleteIt(context),
    ...withObject(context, "create", declaredClaim(context)),
    awaitRollout(context),
  ],
};

const claimWhileScaledDown: Remedy = {
  name: "claim-while-scaled-down",
  doc: "the same while the workload has no pods",
  commands: (context) => [
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=0`,
    deleteIt(context),
    ...withObject(context, "create", declaredClaim(context)),
    `${kubectl(context)} scale ${workloadPath(context)} --replicas=${context.workload.replicas}`,
    awaitRollout(context),
  ],
};

const anotherVolume: Remedy = {
  name: "another-volume",
  doc: "makes the claim again for a volume of another name, which is not there either",
  commands: (context) => [
    deleteIt(context),
    ...withObject(context, "create", pinnedClaim(context, `${parametersOf(parameters, context).volume}-new`)),
    awaitRollout(context),
  ],
};

const redeploy: Remedy = {
  name: "redeploy",
  doc: "deploys the claim again as it is: it asks for the same volume",
  commands: (context) => [
    deleteIt(context),
    ...withObject(context, "create", pinnedClaim(context, parametersOf(parameters, context).volume)),
    `${kubectl(context)} rollout restart ${workloadPath(context)}`,
    awaitRollout(context),
  ],
};

const labels: CauseLabels = {
  mechanism: "storage-unavailable",
  systemLevel: "Virtualization",
  faultType: "Operation Error",
};

/**
 * A jq program that leaves what was declared of a claim, less its volume: the one in its place gets the rest again. One path
 * for each `del`: the jq in process takes no list.
 */
const unassigned = [
  ...["uid", "resourceVersion", "creationTimestamp", "finalizers"].map((field) => `del(.metadata.${field})`),
  "del(.spec.volumeName)",
  "del(.status)",
].join(" | ");

const askForAny: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get pvc`,
  act: ({ namespace, target, finding }) => {
    const claim = finding?.object.name ?? "";
    return {
      title: `Let the claim of ${target} have any volume`,
      commands: [
        `c=${claim === "" ? `$(kubectl -n ${namespace} get pvc -o jsonpath='{.items[?(@.status.phase=="Pending")].metadata.name}')` : claim}`,
        `claim=$(kubectl -n ${namespace} get pvc $c -o json | jq '${unassigned}')`,
        `kubectl -n ${namespace} delete pvc $c --timeout=60s`,
        `echo "$claim" | kubectl -n ${namespace} create -f -`,
        `kubectl -n ${namespace} rollout status deployment/${target} --timeout=20s || echo "still rolling out"`,
      ],
    };
  },
};

/** The target was deployed again with a claim for the volume that it had, which went with the first deployment. */
export default defineFault({
  name: "redeploy-without-pv",
  title: "Deployed again without its volume",
  description: "redeploy-without-pv: the service's pods wait for their volume",
  parameters,
  drawn: { volume: drawnEnding("pv", "vol", "disk", "data") },
  withoutTwin: "a claim that is bound keeps its volume: the API server refuses any other",
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  canRepeat: true,
  ...offeredWorkloads((place, environment) =>
    place.workload.kind !== "Deployment" || claimNameOf(place, environment) === undefined
      ? `${place.name} is no Deployment with a claim of its own`
      : undefined,
  ),
  inject: async (context) => {
    if (!(await status(context)).present)
      await makeAgain(context, pinnedClaim(context, context.parameters.volume));
  },
  status,
  remove: async (context) => {
    if (!(await status(context)).present) return;
    await makeAgain(context, declaredClaim(context));
    await awaitClaim(context, "to be bound");
  },
  truth: (context) => {
    const { name } = declaredClaim(context).metadata;
    const volume = volumeName(context, context.parameters.volume);
    return {
      objects: [{ kind: kind.kind, name, field: "spec.volumeName", wrong: volume, right: "none" }],
      affected: [{ kind: kind.kind, name }, ...affectedObjects(context)],
      ...labels,
      explanation: `${context.target} was deployed again with a claim for the volume ${volume}, which is gone, so its pods are not placed on any node`,
    };
  },
  repairs: [claimAgain, claimWhileScaledDown],
  runbook: askForAny,
  evidence: absentVolume(labels),
  shortcuts: [anotherVolume, redeploy, restartEverything, deletePods, anotherDeployment],
  notShortcuts: restartingShortcuts,
});
