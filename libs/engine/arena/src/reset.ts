import { customKinds, workloadOfPod } from "@microremed/catalogue";
import { isRefused, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { AppError, isJsonObject, terminal } from "@microremed/core";
import {
  type ArenaRecord,
  type Difference,
  describeDifference,
  differenceOf,
  isEmpty,
  isVolatileAnnotation,
  podsWithForeignPrograms,
  readChaosRules,
  readInventory,
  readStrayAddresses,
  writeRecord,
} from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";
import { readConcealed } from "./concealed.ts";
import { deleteObjects } from "./delete-objects.ts";
import {
  endPod,
  freeCertificates,
  freeEndingPods,
  freeEndingSets,
  freeMadeObjects,
  stripFinalizers,
} from "./end-pods.ts";
import { forgetPast } from "./forget-past.ts";
import { hasResources } from "./has-resources.ts";
import { awaitHealthy, isBarePod, isMadeByOthers } from "./health.ts";
import { whenQuotaAllows } from "./quota.ts";

/** A controller of the agent's making may undo what is restored once; it is itself deleted in the first round. */
const rounds = 4;
/** Cluster time, ms. Back-off keeps a container waiting for up to five minutes; a new pod starts at once. */
const healSliceMs = 30_000;
const hopelessReasons = new Set([
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "ErrImagePull",
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
]);

/**
 * Brings the arena back to its record: nothing more, nothing less, nothing else, all healthy, and proves it by
 * comparing. `changedPods`: names of pods to replace, however healthy they are. Throws `restore-failed` or `environment-unhealthy` (terminal) when that fails.
 */
export async function resetArena(
  arena: ArenaContext,
  record: ArenaRecord,
  timeoutMs: number,
  changedPods: ReadonlySet<string> = new Set(),
): Promise<void> {
  const { cluster, namespace } = arena;
  const compare = async (): Promise<Difference> =>
    differenceOf(record.objects, await readInventory(cluster, namespace, customKinds(arena.environment)));
  await deleteObjects(arena, await readConcealed(arena));
  // What runs on in a pod is in no object, so that no comparison below would find it.
  for (const pod of await podsWithForeignPrograms(cluster, namespace, arena.environment))
    await endPod(arena, pod);
  await freeMadeObjects(arena);
  await freeCertificates(arena);
  for (const { apiVersion = "", kind = "", metadata } of await readStrayAddresses(
    cluster,
    namespace,
    arena.environment,
  ))
    await cluster.delete({ apiVersion, kind }, namespace, metadata.name);
  for (let round = 0; ; round++) {
    let difference = await compare();
    if (isEmpty(difference)) {
      await heal(arena, timeoutMs, changedPods);
      difference = await compare();
      if (isEmpty(difference)) {
        await forgetAdded(arena, record);
        return await forgetPast(arena, record);
      }
    }
    if (round >= rounds) {
      throw terminal(
        "restore-failed",
        `namespace ${namespace} of cluster ${cluster.name} still departs from its baseline after ${rounds} rounds: ${describeDifference(difference)}`,
      );
    }
    arena.log.info({ namespace, difference: describeDifference(difference) }, "restoring");
    await arena.assertLease();
    await undo(arena, difference);
  }
}

/** With the objects of settings and noises their revisions go, which a rollback would bring back. */
async function forgetAdded({ cluster, namespace }: ArenaContext, record: ArenaRecord): Promise<void> {
  const { setting, rewritten: _, alternatives: __, renewed: ___, noise, ...rest } = record;
  const first = setting ?? noise;
  if (!first) return;
  for (const { metadata, spec } of await cluster.list(kinds.replicaSet, { namespace })) {
    const isNew = !first.revisions.includes(metadata.uid ?? "");
    if (isNew && spec?.replicas === 0) await cluster.delete(kinds.replicaSet, namespace, metadata.name);
  }
  await writeRecord(cluster, namespace, rest);
}

/** What is ours comes first: an owner that it was given may not take it along. */
async function undo(arena: ArenaContext, { extra, missing, changed }: Difference): Promise<void> {
  for (const { recorded, live } of changed) await putBack(arena, recorded, live);
  await deleteObjects(arena, extra);
  for (const object of missing) await create(arena, object);
}

/** Overwrites the object; where that is forbidden (immutable fields), deletes and creates it. */
async function putBack(arena: ArenaContext, recorded: KubeObject, live: KubeObject): Promise<void> {
  const { cluster } = arena;
  try {
    await cluster.replace(withAssigned(recorded, live));
  } catch (error) {
    // Another client wrote in between: the next round sees what is left.
    if (isRefused(error, 409) || isRefused(error, 404)) return;
    if (!isRefused(error, 422)) throw error;
    await deleteObjects(arena, [live]);
    await create(arena, recorded);
  }
}

async function create(arena: ArenaContext, object: KubeObject): Promise<void> {
  try {
    await whenQuotaAllows(arena, () => arena.cluster.create(object));
  } catch (error) {
    if (!isRefused(error, 409)) throw error;
  }
}

/** What only the cluster may decide stays as it is. */
function withAssigned(recorded: KubeObject, live: KubeObject): KubeObject {
  const { spec } = live;
  const kept = Object.entries(live.metadata.annotations ?? {}).filter(([name]) => isVolatileAnnotation(name));
  const assigned = isJsonObject(spec)
    ? Object.fromEntries(
        ["clusterIP", "clusterIPs", "volumeName"].flatMap((field) =>
          spec[field] === undefined ? [] : [[field, spec[field]]],
        ),
      )
    : {};
  return {
    ...recorded,
    metadata: {
      ...recorded.metadata,
      ...(live.metadata.resourceVersion !== undefined && { resourceVersion: live.metadata.resourceVersion }),
      annotations: { ...Object.fromEntries(kept), ...recorded.metadata.annotations },
    },
    ...(isJsonObject(recorded["spec"]) && { spec: { ...recorded["spec"], ...assigned } }),
  };
}

/** Waits until all is healthy and, as long as it is not, replaces the pods that will not get there by themselves. */
async function heal(arena: ArenaContext, timeoutMs: number, changedPods: ReadonlySet<string>): Promise<void> {
  for (let left = timeoutMs; ; left -= healSliceMs) {
    await deleteSickPods(arena, changedPods);
    try {
      return await awaitHealthy(arena, Math.min(left, healSliceMs));
    } catch (error) {
      const isLate = error instanceof AppError && error.code === "environment-unhealthy";
      if (!isLate || left <= healSliceMs) throw error;
    }
  }
}

/** Pods that would heal only after minutes of back-off, or never, or that were changed. Their controllers replace them at once. */
async function deleteSickPods(arena: ArenaContext, changedPods: ReadonlySet<string>): Promise<void> {
  const { cluster, namespace, environment } = arena;
  await freeEndingPods(arena);
  await freeEndingSets(arena);
  const touched = new Set([...changedPods, ...(await dropChaosRules(arena))]);
  for (const pod of await cluster.list(kinds.pod, { namespace })) {
    // One that is declared by itself is compared with its record as a whole, and nothing would replace it.
    const isTouched = touched.has(pod.metadata.name) && !isBarePod(environment, pod);
    if (!isTouched && !isSick(pod, arena)) continue;
    await endPod(arena, pod);
    if ((pod.metadata.finalizers ?? []).length > 0) await stripFinalizers(arena, pod);
  }
}

/** Rules that no fault has taken back outlast their object on the pod. Names of the pods that have some. */
async function dropChaosRules({ cluster, namespace }: ArenaContext): Promise<ReadonlySet<string>> {
  const rules = await readChaosRules(cluster, namespace);
  for (const { apiVersion = "", kind = "", metadata } of rules)
    await cluster.delete({ apiVersion, kind }, namespace, metadata.name);
  return new Set(rules.map(({ metadata }) => metadata.name));
}

function isSick(pod: Pod, { environment }: ArenaContext): boolean {
  const { metadata, spec, status } = pod;
  if (metadata.deletionTimestamp !== undefined) return false;
  const workload = environment.workloads[workloadOfPod(environment, metadata.labels) ?? ""];
  if (!workload && isMadeByOthers(environment, pod)) return false;
  const isBare = !workload && isBarePod(environment, pod);
  if (status?.phase === "Failed" || (status?.phase === "Succeeded" && !isBare)) return true;
  if (status?.containerStatuses?.some((one) => hopelessReasons.has(one.state?.waiting?.reason ?? "")))
    return true;
  const isTouched = (spec?.ephemeralContainers ?? []).length > 0 || (metadata.finalizers ?? []).length > 0;
  if (isTouched) return true;
  if (!workload) return !isBare;
  return workload.containers.some(({ name, image, resources }) => {
    const live = spec?.containers.find((one) => one.name === name);
    return live?.image !== image || !hasResources(live.resources, resources);
  });
}
