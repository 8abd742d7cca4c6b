import {
  affectedObjects,
  awaitRollout,
  type CauseLabels,
  defineFault,
  deletePods,
  type Environment,
  endPods,
  type FaultContext,
  findWorkload,
  kinds,
  kubectl,
  manifestOf,
  noSuchObject,
  offeredWorkloads,
  podSelector,
  type Remedy,
  type RemedyContext,
  type Runbook,
  restartEverything,
  restartingShortcuts,
  restartWorkload,
  type TruthContext,
  targetOf,
  type WorkloadSpec,
  waitForRollout,
  waitingPods,
  withObject,
  z,
} from "@microremed/catalogue";
import { missingConfigMap } from "./evidence.ts";
import { createLikeSiblings, siblingsAgree } from "./siblings.ts";

/** The ConfigMaps that the containers of a workload cannot start without, in its order. */
function configMapsOf({ containers, initContainers, volumes }: WorkloadSpec): string[] {
  const mounted = Object.values(volumes).flatMap((volume) =>
    volume.type === "configMap" ? [volume.name] : [],
  );
  const read = [...initContainers, ...containers].flatMap(({ env, envFrom }) => [
    ...envFrom.flatMap((from) => ("configMap" in from ? [from.configMap] : [])),
    ...Object.values(env).flatMap((value) =>
      typeof value === "object" && "configMapKeyRef" in value ? [value.configMapKeyRef.name] : [],
    ),
  ]);
  return [...new Set([...mounted, ...read])];
}

function nameOf({
  environment,
  target,
}: {
  readonly environment: Environment;
  readonly target: string;
}): string {
  const place = targetOf(environment, target);
  return (place && configMapsOf(place.workload)[0]) ?? "";
}

/** The ConfigMap as it is declared. */
function declared(context: TruthContext & Pick<FaultContext, "namespace">) {
  const manifest = manifestOf(context.environment, kinds.configMap, nameOf(context));
  if (!manifest) throw new Error(`${context.environment.name} has no ConfigMap for ${context.target}`);
  return { ...manifest, metadata: { ...manifest.metadata, namespace: context.namespace } };
}

async function status(context: FaultContext) {
  const isGone =
    (await context.cluster.get(kinds.configMap, context.namespace, nameOf(context))) === undefined;
  const pods = await waitingPods(context);
  const note = `there is ${isGone ? "no" : "a"} ConfigMap ${nameOf(context)}; pods of ${context.target} that wait: ${pods.length}`;
  return {
    present: isGone,
    injected: isGone && pods.length > 0,
    pods,
    expiresAt: null,
    note,
  };
}

/** Deleted, and the pods with it: those that run would go on with what they have read. */
async function inject(context: FaultContext): Promise<void> {
  const { cluster, namespace } = context;
  await cluster.delete(kinds.configMap, namespace, nameOf(context));
  await endPods(context);
}

const recreate: Remedy = {
  name: "recreate",
  doc: "the expert's fix: creates the ConfigMap again; the kubelet tries again by itself",
  commands: (context) => [...withObject(context, "create", declared(context)), awaitRollout(context)],
};

const applyAndRestart: Remedy = {
  name: "apply-and-restart",
  doc: "applies the ConfigMap's manifest and replaces the pods that wait",
  commands: (context) => [
    ...withObject(context, "apply", declared(context)),
    awaitRollout(context),
    `${kubectl(context)} delete pod -l ${podSelector(context)} --wait=false`,
    awaitRollout(context),
  ],
};

const mountedIn = ({ environment, name, target }: RemedyContext) => ({
  workload: name,
  configMap: nameOf({ environment, target }),
});

const likeSiblings: Remedy = {
  name: "like-siblings",
  doc: "creates it as the ConfigMaps of workloads with the same image are, with this one's name in place of theirs",
  applies: (context) => siblingsAgree(context.environment, mountedIn(context)),
  commands: (context) => [...createLikeSiblings(context, mountedIn(context)), awaitRollout(context)],
};

const emptyOne: Remedy = {
  name: "empty-one",
  doc: "creates a ConfigMap of the same name with nothing in it",
  commands: (context) => [
    ...withObject(context, "create", { ...declared(context), data: {} }),
    awaitRollout(context),
  ],
};

const copySiblings: Runbook = {
  observe: ({ namespace }) => `kubectl -n ${namespace} get configmaps`,
  act: (found) => {
    const { namespace, target, finding } = found;
    if (!finding)
      return { title: `Restart ${target}`, commands: [findWorkload(found), ...restartWorkload(found)] };
    const missing = { workload: target, configMap: finding.object.name };
    return {
      title: `Create the ConfigMap ${missing.configMap} as workloads with the same image have theirs`,
      commands: [...createLikeSiblings({ namespace }, missing), findWorkload(found), waitForRollout(found)],
    };
  },
};

const labels: CauseLabels = {
  mechanism: "configuration-missing",
  systemLevel: "Virtualization",
  faultType: "Operation Error",
};

/** A ConfigMap is deleted that the target's containers need to start. */
export default defineFault({
  name: "configmap-deleted",
  title: "Deleted ConfigMap",
  description: "configmap-deleted: the service's pods do not start",
  parameters: z.object({}),
  symptom: "ready",
  recovery: ["ready", "serving"],
  rightActions: [],
  ...offeredWorkloads(({ name, workload }) =>
    configMapsOf(workload).length === 0 ? `${name} uses no ConfigMap` : undefined,
  ),
  inject,
  status,
  remove: async (context) => {
    if ((await status(context)).present) await context.cluster.create(declared(context));
  },
  truth: (context) => ({
    objects: [
      {
        kind: "ConfigMap",
        name: nameOf(context),
        field: "",
        wrong: noSuchObject,
        right: "as it was declared",
      },
    ],
    affected: [{ kind: "ConfigMap", name: nameOf(context) }, ...affectedObjects(context)],
    ...labels,
    explanation: `there is no ConfigMap ${nameOf(context)}, which the containers of ${context.target} need to start`,
  }),
  repairs: [recreate, applyAndRestart, likeSiblings],
  runbook: copySiblings,
  withoutRunbook:
    "what it had in it is often in no other object: only workloads with the same image may have such a one",
  evidence: missingConfigMap(labels),
  shortcuts: [emptyOne, restartEverything, deletePods],
  notShortcuts: restartingShortcuts,
});
