import { isRefused, type KubeObject, kinds, type Pod } from "@microremed/cluster";
import { isRootCertificates, readChangedMade, readLastMark } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

/** Cluster time, s. What an agent has given its pods may be a day; what is restored does not wait for their programs. */
const longestEndSeconds = 30;

/** Deletes a pod, which may take as long as it says, but not longer than 30 s. False: it was not there. */
export async function endPod({ cluster, namespace }: ArenaContext, pod: KubeObject): Promise<boolean> {
  const { metadata, spec } = pod as Pod;
  const asked =
    metadata.deletionGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? longestEndSeconds;
  const gracePeriodSeconds = Math.min(asked, longestEndSeconds);
  return await cluster.delete(kinds.pod, namespace, metadata.name, { gracePeriodSeconds });
}

/** Lets the pods that are ending go: finalizers hold none of them, and none takes longer than 30 s from here on. */
export async function freeEndingPods(arena: ArenaContext): Promise<void> {
  const { cluster, namespace } = arena;
  for (const pod of await cluster.list(kinds.pod, { namespace })) {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
    if (deletionTimestamp === undefined) continue;
    if (deletionGracePeriodSeconds > longestEndSeconds) await endPod(arena, pod);
    if (finalizers.length > 0) await stripFinalizers(arena, pod);
  }
}

/** Lets go what makes pods, belongs to something else and is held: it makes none, and is in the place of one that would. */
export async function freeEndingSets(arena: ArenaContext): Promise<void> {
  const { cluster, namespace } = arena;
  for (const set of await cluster.list(kinds.replicaSet, { namespace })) {
    const { deletionTimestamp, finalizers = [] } = set.metadata;
    if (deletionTimestamp !== undefined && finalizers.length > 0) await stripFinalizers(arena, set);
  }
}

/** Takes from what controllers made all that others gave it: finalizers that nothing takes away, second owners, annotations. */
export async function freeMadeObjects({ cluster, namespace }: ArenaContext): Promise<void> {
  const mark = await readLastMark(cluster, namespace);
  for (const { object, notes } of await readChangedMade(cluster, namespace, mark?.madeAnnotations)) {
    const { apiVersion = "", kind = "", metadata } = object;
    const makers = (metadata.ownerReferences ?? []).filter(({ controller }) => controller);
    const ownerReferences = makers.length > 0 ? makers : null;
    const annotations = Object.fromEntries(notes.map((name) => [name, null]));
    const body = { metadata: { finalizers: null, ownerReferences, annotations } };
    try {
      await cluster.patch({ apiVersion, kind }, namespace, metadata.name, { type: "merge", body });
    } catch (error) {
      if (!isRefused(error, 404)) throw error;
    }
  }
}

/** The cluster gives the namespace its certificates again; those that were made immutable it cannot put right. */
export async function freeCertificates({ cluster, namespace }: ArenaContext): Promise<void> {
  for (const one of await cluster.list(kinds.configMap, { namespace }))
    if (isRootCertificates(one) && one["immutable"] === true)
      await cluster.delete(kinds.configMap, namespace, one.metadata.name);
}

/** Lets an object go whatever it waits for; one that is gone already is none of its business. */
export async function stripFinalizers(
  { cluster, namespace }: ArenaContext,
  { apiVersion = "", kind = "", metadata }: KubeObject,
): Promise<void> {
  const body = { metadata: { finalizers: null } };
  try {
    await cluster.patch({ apiVersion, kind }, namespace, metadata.name, { type: "merge", body });
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
  }
}
