import {
  accountsNamespace,
  harnessNamespace,
  isRefused,
  type KubeObject,
  kinds,
  managedLabels,
} from "@microremed/cluster";
import { terminal, waitFor } from "@microremed/core";
import { identityOf, readInventory } from "@microremed/inventory";
import type { ArenaContext } from "./arena.ts";

const [[label, owner] = ["", ""]] = Object.entries(managedLabels);
const reserved = new Set([harnessNamespace, accountsNamespace, "chaos-mesh"]);

/** Which arena a namespace was last made for, and when: by this the janitor knows what is not needed any more. */
const slotAnnotation = "microremed.io/slot";
const fenceAnnotation = "microremed.io/fence";
const usedAtAnnotation = "microremed.io/used-at";
/** Cluster time, ms. */
const goneWithinMs = 300_000;

export interface NamespaceUse {
  readonly slot: number;
  readonly fence: number;
  /** Wall clock, ms. */
  readonly usedAt: number;
}

/** Undefined: not the harness's, or of an earlier version of it. */
export function useOf({ metadata }: KubeObject): NamespaceUse | undefined {
  const [slot, fence, usedAt] = [slotAnnotation, fenceAnnotation, usedAtAnnotation].map((name) =>
    Number(metadata.annotations?.[name]),
  );
  if (slot === undefined || fence === undefined || usedAt === undefined) return undefined;
  return [slot, fence, usedAt].every(Number.isSafeInteger) ? { slot, fence, usedAt } : undefined;
}

/**
 * Makes sure that the namespace exists and is the harness's to fill and to clear. One that exists without its label is
 * taken over only when it is empty. Throws `cluster-refused` (terminal) that says what to do.
 */
export async function claimNamespace(arena: ArenaContext): Promise<void> {
  const { cluster, namespace: name, lease } = arena;
  if (reserved.has(name) || name.startsWith("kube-")) {
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} belongs to the cluster or to the harness; choose another one for the arena`,
    );
  }
  const namespace = await existing(arena);
  const foreign =
    namespace && namespace.metadata.labels?.[label] !== owner ? await readInventory(cluster, name) : [];
  if (foreign.length > 0) {
    const some = foreign.slice(0, 5).map(identityOf).join(", ");
    throw terminal(
      "cluster-refused",
      `namespace ${name} of cluster ${cluster.name} holds ${foreign.length} objects that are not the harness's (${some}, ...); choose another namespace, empty this one, or label it ${label}=${owner} if everything in it may be deleted`,
    );
  }
  const annotations = {
    [slotAnnotation]: String(lease.slot),
    [fenceAnnotation]: String(lease.fence),
    [usedAtAnnotation]: String(Date.now()),
  };
  const metadata = { name, labels: managedLabels, annotations };
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata });
}

/** The arena is used still: it has not been idle since it was prepared. */
export async function noteUse({ cluster, namespace }: ArenaContext): Promise<void> {
  const body = { metadata: { annotations: { [usedAtAnnotation]: String(Date.now()) } } };
  try {
    await cluster.patch(kinds.namespace, undefined, namespace, { type: "merge", body });
  } catch (error) {
    if (!isRefused(error, 404)) throw error;
  }
}

/** The namespace; one that is being deleted is waited for to be gone first. */
async function existing({ cluster, namespace, signal }: ArenaContext): Promise<KubeObject | undefined> {
  const read = () => cluster.get(kinds.namespace, undefined, namespace);
  const found = await read();
  if (found?.metadata.deletionTimestamp === undefined) return found;
  const isGone = async () => ((await read()) === undefined ? true : undefined);
  const what = `namespace ${namespace}, which is being deleted, to be gone`;
  await waitFor({ clock: cluster.clock, what, timeoutMs: goneWithinMs, intervalMs: 1_000, signal }, isGone);
  return undefined;
}
