import { customResourcesIn } from "@microremed/catalogue";
import {
  accountsNamespace,
  customResourcesAnnotation,
  harnessNamespace,
  isRefused,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";
import { isLate, terminal, waitFor, wallClock } from "@microremed/core";
import { identityOf, readInventory } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

const [[label, owner] = ["", ""]] = Object.entries(managedLabels);
const reserved = new Set([harnessNamespace, accountsNamespace, "chaos-mesh"]);

/** Which arena of which range a namespace was last made for, and when: by this the janitor knows what is not needed any more. */
const rangeAnnotation = "microremed.io/range";
const slotAnnotation = "microremed.io/slot";
const fenceAnnotation = "microremed.io/fence";
const usedAtAnnotation = "microremed.io/used-at";
/** When the range that holds it was last alive; absent: no episode is at work in it. */
const heldAtAnnotation = "microremed.io/held-at";
/** Wall clock, ms. A range that lives says so every minute (`holdOn`). */
const aliveMs = 300_000;
/** Cluster time, ms: longer than a dead range is waited for. */
const freeWithinMs = 360_000;

export interface NamespaceUse {
  readonly range: string;
  readonly slot: number;
  readonly fence: number;
  /** Wall clock, ms. */
  readonly usedAt: number;
  /** Wall clock, ms; 0: it is not held. */
  readonly heldAt: number;
}

/** Undefined: not the harness's, or of an earlier version of it. */
export function useOf({ metadata: { annotations } }: KubeObject): NamespaceUse | undefined {
  const range = annotations?.[rangeAnnotation];
  const [slot, fence, usedAt] = [slotAnnotation, fenceAnnotation, usedAtAnnotation].map((name) =>
    Number(annotations?.[name]),
  );
  const heldAt = Number(annotations?.[heldAtAnnotation] ?? 0);
  if (range === undefined || slot === undefined || fence === undefined || usedAt === undefined)
    return undefined;
  if (![slot, fence, usedAt, heldAt].every(Number.isSafeInteger)) return undefined;
  return { range, slot, fence, usedAt, heldAt };
}

/**
 * Makes sure that the namespace exists and is the harness's to fill and to clear, and holds it for this range. One that
 * exists without the harness's label is taken over only when it is empty. One that is being deleted, or that another range
 * holds, is waited for: a range that has died holds it for five minutes more. Throws `cluster-refused` (terminal) that
 * says what to do.
 */
export async function claimNamespace(arena: ArenaContext): Promise<void> {
  const { cluster, namespace: name, signal } = arena;
  if (reserved.has(name) || name.startsWith("kube-")) {
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} belongs to the cluster or to the harness; choose another one for the arena`,
    );
  }
  const what = `namespace ${name} to be free`;
  const options = { clock: cluster.clock, what, timeoutMs: freeWithinMs, intervalMs: 1_000, signal };
  let holder: string | undefined;
  try {
    await waitFor(options, async () => {
      const namespace = await cluster.get(kinds.namespace, undefined, name);
      holder = namespace && holderOf(namespace, arena.range);
      if (namespace?.metadata.deletionTimestamp !== undefined || holder !== undefined) return undefined;
      if (namespace) await refuseForeign(arena, namespace);
      return await writeClaim(arena, namespace);
    });
  } catch (error) {
    if (!isLate(error) || holder === undefined) throw error;
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} is held by another range, ${holder}, which is alive; give each range namespaces or clusters of its own, or stop the other one`,
    );
  }
}

/** The other range that is at work there; undefined: none, as far as is known. */
function holderOf(namespace: KubeObject, range: string): string | undefined {
  const use = useOf(namespace);
  return use && use.range !== range && Date.now() - use.heldAt < aliveMs ? use.range : undefined;
}

async function refuseForeign({ cluster, namespace: name }: ArenaContext, found: KubeObject): Promise<void> {
  if (found.metadata.labels?.[label] === owner) return;
  const foreign = await readInventory(cluster, name);
  if (foreign.length === 0) return;
  const some = foreign.slice(0, 5).map(identityOf).join(", ");
  throw terminal(
    "cluster-refused",
    `namespace ${name} of cluster ${cluster.name} holds ${foreign.length} objects that are not the harness's (${some}, ...); choose another namespace, empty this one, or label it ${label}=${owner} if everything in it may be deleted`,
  );
}

/** Undefined: another client has written the namespace meanwhile. */
async function writeClaim(arena: ArenaContext, found: KubeObject | undefined): Promise<true | undefined> {
  const { cluster, namespace: name, environment, lease, range } = arena;
  const now = String(Date.now());
  const annotations = {
    [rangeAnnotation]: range,
    [slotAnnotation]: String(lease.slot),
    [fenceAnnotation]: String(lease.fence),
    [usedAtAnnotation]: now,
    [heldAtAnnotation]: now,
    // What its agents may read and change besides Kubernetes' own kinds.
    [customResourcesAnnotation]: JSON.stringify(customResourcesIn(environment)),
  };
  const claimed = { name, labels: managedLabels, annotations };
  try {
    if (!found) await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: claimed });
    else {
      const metadata = { ...claimed, resourceVersion: found.metadata.resourceVersion };
      await cluster.patch(kinds.namespace, undefined, name, { type: "merge", body: { metadata } });
    }
    return true;
  } catch (error) {
    if (isRefused(error, 409) || isRefused(error, 404)) return undefined;
    throw error;
  }
}

/** The arena is used still: it has not been idle since it was prepared. */
export const noteUse = (arena: ArenaContext): Promise<void> =>
  annotate(arena, { [usedAtAnnotation]: String(Date.now()) });

/** No episode is at work in the arena any more; another range may have it. */
export const letGo = (arena: ArenaContext): Promise<void> => annotate(arena, { [heldAtAnnotation]: null });

/**
 * This range is alive, and an episode of it at work there; nothing if the namespace has changed since it was read.
 * Embedded clusters are one range's alone, and nothing may happen there by the wall clock.
 */
export async function holdOn(cluster: ArenaContext["cluster"], { metadata }: KubeObject): Promise<void> {
  if (cluster.clock.now !== wallClock.now) return;
  const { name, resourceVersion } = metadata;
  const annotations = { [heldAtAnnotation]: String(Date.now()) };
  const body = { metadata: { resourceVersion, annotations } };
  try {
    await cluster.patch(kinds.namespace, undefined, name, { type: "merge", body });
  } catch (error) {
    if (!isRefused(error, 404) && !isRefused(error, 409)) throw error;
  }
}

async function annotate(
  { cluster, namespace }: ArenaContext,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> {
  const body = { metadata: { annotations } };
  try {
    await cluster.patch(kinds.namespace, undefined, namespace, { type: "merge", body });
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
  }
}
