import { type Kind, type KubeObject, kinds } from "@microremed/cluster";
import { isLate } from "@microremed/core";
import { identityOf } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";
import { endPod, freeEndingPods, stripFinalizers } from "./end-pods.ts";

/** Cluster time; a fault that cannot be recovered keeps its finalizer for ever. */
const limitMs = 90_000;

/** Kubernetes' own finalizers, and Chaos Mesh's. */
const known = /(^|\.)kubernetes\.io\/|^chaos-mesh|^foregroundDeletion$|^orphan$/;

function kindOf({ apiVersion = "", kind = "" }: KubeObject): Kind {
  return { apiVersion, kind };
}

/** Deletes the objects and waits until they are gone, stripping finalizers of those that will not go. */
export async function deleteObjects(arena: ArenaContext, objects: readonly KubeObject[]): Promise<void> {
  const byNamespace = Map.groupBy(objects, ({ metadata }) => metadata.namespace ?? arena.namespace);
  for (const [namespace, some] of byNamespace) await deleteIn({ ...arena, namespace }, some);
}

async function deleteIn(arena: ArenaContext, objects: readonly KubeObject[]): Promise<void> {
  const { cluster, namespace } = arena;
  // Against the order of creation: faults first, while the pods that they recover on are still there.
  for (const object of objects.toReversed()) {
    if (object.kind === "Pod") await endPod(arena, object);
    else await cluster.delete(kindOf(object), namespace, object.metadata.name);
    if (isHeldByNone(object)) await stripFinalizers(arena, object);
  }
  try {
    await awaitGone(arena, objects, limitMs);
  } catch (error) {
    if (!isLate(error)) throw error;
    arena.log.warn({ namespace, error: error.message }, "stripping finalizers");
    for (const object of objects) await stripFinalizers(arena, object);
    await awaitGone(arena, objects, limitMs);
  }
}

/** Finalizers that no controller of the cluster's will ever take away: waiting for them would never end. */
function isHeldByNone({ metadata: { finalizers = [] } }: KubeObject): boolean {
  return finalizers.length > 0 && !finalizers.some((name) => known.test(name));
}

async function awaitGone(
  arena: ArenaContext,
  objects: readonly KubeObject[],
  timeoutMs: number,
): Promise<void> {
  const { cluster, namespace, signal } = arena;
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const watched = [...new Map(objects.map((object) => [object.kind, kindOf(object)])).values()];
  const left = (list: (kind: Kind) => readonly KubeObject[]): KubeObject[] =>
    watched.flatMap(list).filter(({ metadata }) => uids.has(metadata.uid));
  await cluster.waitUntil(
    {
      what: `${objects.length} objects of ${namespace} to be gone`,
      timeoutMs,
      signal,
      namespace,
      kinds: watched,
    },
    (view) => (left((kind) => view.list(kind)).length === 0 ? true : undefined),
    (view) =>
      left((kind) => view.list(kind))
        .slice(0, 5)
        .map(({ metadata }) => metadata.name)
        .join(", "),
  );
}

/** Cluster time, ms. A controller that is being deleted may end its last pods later than it goes itself. */
const sliceMs = 30_000;

/** Waits until no pod is left in the namespace, letting none take longer than it must. */
export async function awaitNoPods(arena: ArenaContext, timeoutMs: number): Promise<void> {
  const { cluster, namespace, signal } = arena;
  for (let left = timeoutMs; ; left -= sliceMs) {
    await freeEndingPods(arena);
    try {
      await cluster.waitUntil(
        {
          what: `the last pods of ${namespace} to be gone`,
          timeoutMs: Math.min(left, sliceMs),
          signal,
          namespace,
          kinds: [kinds.pod],
        },
        (view) => (view.list(kinds.pod).length === 0 ? true : undefined),
        (view) => view.list(kinds.pod).slice(0, 5).map(identityOf).join(", "),
      );
      return;
    } catch (error) {
      if (!isLate(error) || left <= sliceMs) throw error;
    }
  }
}
