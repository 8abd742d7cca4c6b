import {
  accountsNamespace,
  arenaLabel,
  type Cluster,
  chaosKinds,
  harnessNamespace,
  isRefused,
  type Kind,
  type KubeObject,
  kinds,
  managedLabels,
  nameServerConfig,
} from "@microremed/cluster";
import type { Logger } from "@microremed/core";
import type { State } from "@microremed/state";
import { holdOn, useOf } from "./namespace.ts";

export interface SweepOptions {
  readonly cluster: Cluster;
  /** Identity of this range. */
  readonly range: string;
  readonly arenas: Pick<State["arenas"], "get">;
  readonly log: Logger;
  /** Wall clock, ms. */
  readonly now: number;
  /** An arena that was not used for so long gives its namespace back, ms. */
  readonly idleMs: number;
}

/** An environment that an arena held before its present one is kept for so long, ms: it may be wanted again. */
const keptMs = 3_600_000;
/** A fault that is being deleted for so long will not recover; the restore of its arena sees to the pods. Cluster time, ms. */
const hungMs = 600_000;
const labelSelector = Object.entries(managedLabels)
  .map(([name, value]) => `${name}=${value}`)
  .join(",");

/**
 * Removes what dead processes and former configurations have left on a cluster: faults in arenas without a lease,
 * namespaces of arenas that are no more, or idle, and what the harness kept for namespaces that are gone. Returns what it removed.
 *
 * Any number of them may sweep at once, beside episodes that begin meanwhile: everything is listed before the leases are
 * read, so that what a new lease makes is not among it; and an object is deleted only while it is the one that was
 * listed, a namespace only in the version that was listed (preparing an arena changes it).
 */
export async function sweepCluster(options: SweepOptions): Promise<string[]> {
  const { cluster } = options;
  const faults = (await Promise.all(chaosKinds.map((kind) => cluster.list(kind, { labelSelector })))).flat();
  const kept = await listKept(cluster);
  const namespaces = await cluster.list(kinds.namespace, { labelSelector });
  const checked = await Promise.all(namespaces.map((namespace) => check(options, namespace)));
  const held = new Set(checked.flatMap(({ name, isHeld }) => (isHeld ? [name] : [])));

  const removed: string[] = [];
  const remove = async (object: KubeObject, only: "this" | "this version"): Promise<void> => {
    if (await removeObject(cluster, object, only)) removed.push(nameOf(object));
  };
  for (const fault of faults) {
    if (held.has(arenaOf(fault))) continue;
    await remove(fault, "this");
    if (await isHung(cluster, fault)) await dropFinalizers(cluster, fault);
  }
  for (const { namespace, isAtWork } of checked) if (isAtWork) await holdOn(cluster, namespace);
  for (const { namespace, isNeeded } of checked) if (!isNeeded) await remove(namespace, "this version");
  const present = new Set(checked.map(({ name }) => name));
  for (const object of kept) if (!present.has(arenaOf(object))) await remove(object, "this");
  if (removed.length > 0)
    options.log.info({ cluster: cluster.name, removed }, "removed what was left behind");
  return removed;
}

interface Checked {
  readonly name: string;
  readonly namespace: KubeObject;
  /** An episode may be at work in it. */
  readonly isHeld: boolean;
  /** An episode of this range is. */
  readonly isAtWork: boolean;
  readonly isNeeded: boolean;
}

async function check(
  { cluster, range, arenas, now, idleMs }: SweepOptions,
  namespace: KubeObject,
): Promise<Checked> {
  const { name } = namespace.metadata;
  const use = useOf(namespace);
  // The harness's own, or of a version that did not say whose it is: left alone.
  if (name === harnessNamespace || name === accountsNamespace || !use)
    return { name, namespace, isHeld: true, isAtWork: false, isNeeded: true };
  const { fence, episode, known } = await arenas.get({ cluster: cluster.name, slot: use.slot });
  // A lease that we never gave is of a time before our state was restored from a backup.
  const isOurs = use.range === range && fence >= use.fence;
  const isHeld = !isOurs || episode !== null;
  const unusedMs = now - use.usedAt;
  const isFormer = fence > use.fence && unusedMs > keptMs;
  const isAtWork = isOurs && episode !== null;
  return {
    name,
    namespace,
    isHeld,
    isAtWork,
    isNeeded: isHeld || (known && !isFormer && unusedMs <= idleMs),
  };
}

/** What the harness keeps for arenas outside of them. */
async function listKept(cluster: Cluster): Promise<KubeObject[]> {
  const scope = { labelSelector: `${labelSelector},${arenaLabel}` };
  const inside = { ...scope, namespace: harnessNamespace };
  const lists = await Promise.all([
    cluster.list(kinds.secret, inside),
    cluster.list(kinds.configMap, inside),
    cluster.list(kinds.serviceAccount, { ...scope, namespace: accountsNamespace }),
    // Where accounts were before they had a namespace of their own.
    cluster.list(kinds.serviceAccount, inside),
    cluster.list(kinds.clusterRoleBinding, scope),
    cluster.list(kinds.clusterRole, scope),
    ...(cluster.ownNameServer
      ? [kinds.role, kinds.roleBinding].map((kind) =>
          cluster.list(kind, { ...scope, namespace: nameServerConfig.namespace }),
        )
      : []),
  ]);
  return lists.flat();
}

function arenaOf({ metadata }: KubeObject): string {
  return metadata.labels?.[arenaLabel] ?? metadata.namespace ?? "";
}

function kindOf({ apiVersion = "", kind = "" }: KubeObject): Kind {
  return { apiVersion, kind };
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
}

/** False: it was gone, is going, or is another one by now. */
async function removeObject(
  cluster: Cluster,
  object: KubeObject,
  what: "this" | "this version",
): Promise<boolean> {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) return false;
  const only = what === "this" ? { uid } : { uid, resourceVersion };
  try {
    return await cluster.delete(kindOf(object), namespace, name, { only });
  } catch (error) {
    if (isRefused(error, 409)) return false;
    throw error;
  }
}

async function isHung(cluster: Cluster, { metadata }: KubeObject): Promise<boolean> {
  if (metadata.deletionTimestamp === undefined) return false;
  return (await cluster.clock.now()) - Date.parse(metadata.deletionTimestamp) > hungMs;
}

async function dropFinalizers(cluster: Cluster, object: KubeObject): Promise<void> {
  const { name, namespace, uid } = object.metadata;
  const body = { metadata: { uid, finalizers: null } };
  try {
    await cluster.patch(kindOf(object), namespace, name, { type: "merge", body });
  } catch (error) {
    if (!isRefused(error, 404) && !isRefused(error, 409)) throw error;
  }
}
