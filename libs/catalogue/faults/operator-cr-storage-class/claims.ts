import {
  type FaultContext,
  type KubeObject,
  kinds,
  operatedTarget,
  type Place,
  targetName,
  targetOf,
  valueAt,
  waitFor,
} from "@microremed/catalogue";

const kind = kinds.persistentVolumeClaim;
/** Cluster time, ms: the operator reads it every few seconds, and makes the set again in two rounds. */
const followsWithinMs = 120_000;

/** Field of a workload's part of its custom resource. */
export const field = "/storageClassName";

/** The claim that each replica has of its own; undefined: it has none. */
const ownClaim = (place: Place | undefined): string | undefined =>
  Object.values(place?.workload.volumes ?? {}).flatMap((volume) =>
    volume.type === "claim" && volume.perPod ? [volume.name] : [],
  )[0];

/** The last replica of the target and its claim: those that are lost. */
export function lastOf({ environment, target }: Pick<FaultContext, "environment" | "target">) {
  const place = targetOf(environment, target);
  const pod = `${place?.name}-${(place?.workload.replicas ?? 1) - 1}`;
  return { pod, claim: `${ownClaim(place)}-${pod}` };
}

export const readResource = ({ cluster, namespace, ...context }: FaultContext) => {
  const { name, ...resource } = operatedTarget(context);
  return cluster.get(resource, namespace, name);
};

const classOf = (claim: KubeObject | undefined): unknown => valueAt(claim, "/spec/storageClassName");

export const readClaim = (context: FaultContext) =>
  context.cluster.get(kind, context.namespace, lastOf(context).claim);

/** Names a class in the custom resource, or none. */
export async function setClass(context: FaultContext, name: string | undefined): Promise<void> {
  const { cluster, namespace } = context;
  const { part, name: resource, ...of } = operatedTarget(context);
  const path = `${part}${field}`;
  if (valueAt(await readResource(context), path) === name) return;
  const body = [name === undefined ? { op: "remove", path } : { op: "add", path, value: name }];
  await cluster.patch(of, namespace, resource, { type: "json", body });
}

const waiting = ({ cluster, signal }: FaultContext, what: string) => ({
  clock: cluster.clock,
  what,
  timeoutMs: followsWithinMs,
  intervalMs: 1_000,
  ...(signal && { signal }),
});

/** Waits until the operator has made the target's StatefulSet again, with this class. */
export async function awaitSet(context: FaultContext, name: string | undefined): Promise<void> {
  const { cluster, namespace } = context;
  const what = `the operator to make ${targetName(context)} again`;
  await waitFor(waiting(context, what), async () => {
    const set = await cluster.get(kinds.statefulSet, namespace, targetName(context));
    const asked = valueAt(set, "/spec/volumeClaimTemplates/0/spec/storageClassName");
    return (set !== undefined && set.metadata.deletionTimestamp === undefined && asked === name) || undefined;
  });
}

/** Deletes the last replica and its claim until there is a claim that `isRight`: a pod may come back before its claim has gone. */
export async function claimAgain(
  context: FaultContext,
  isRight: (className: unknown) => boolean,
): Promise<void> {
  const { cluster, namespace } = context;
  const { pod, claim } = lastOf(context);
  await waitFor(waiting(context, `another claim ${claim}`), async () => {
    const found = await readClaim(context);
    if (found?.metadata.deletionTimestamp === undefined && found && isRight(classOf(found))) return true;
    if (found) await cluster.delete(kind, namespace, claim);
    await cluster.delete(kinds.pod, namespace, pod);
    return undefined;
  });
}

/** Whether the last replica's claim asks for this class. */
export const asksFor = (claim: KubeObject | undefined, name: string): boolean => classOf(claim) === name;
