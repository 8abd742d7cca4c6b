import { isRefused, type KubeObject, kinds, type Workload } from "@microremed/cluster";
import type { Damage } from "@microremed/contracts";
import { isJsonObject } from "@microremed/core";
import type { ArenaContext } from "./arena.ts";

/** Of a Deployment; its controller writes it again where it is missing. */
const revisionNumber = "deployment.kubernetes.io/revision";
/** The numbers that a revision had before a rollback to it. */
const revisionHistory = "deployment.kubernetes.io/revision-history";

/**
 * Deletes the former ReplicaSets that the remedies have left otherwise than rollouts do: nothing else takes them away, and a
 * rollback in a later episode would bring them back. One that has pods keeps them and is counted again.
 */
export async function forgetRevisions(
  { cluster, namespace }: ArenaContext,
  damage: Damage | null,
): Promise<void> {
  const changed = new Set((damage?.changes ?? []).map(({ object }) => object));
  for (const set of await cluster.list(kinds.replicaSet, { namespace })) {
    const { name } = set.metadata;
    if (!changed.has(`ReplicaSet/${name}`)) continue;
    if (isFormer(set)) await cluster.delete(kinds.replicaSet, namespace, name);
    else await countAgain(name);
  }

  async function countAgain(name: string): Promise<void> {
    const body = { metadata: { annotations: { [revisionNumber]: null } } };
    try {
      await cluster.patch(kinds.replicaSet, namespace, name, { type: "merge", body });
    } catch (error) {
      if (!isRefused(error, 404)) throw error;
    }
  }
}

/**
 * Deletes every former revision of the arena's workloads, and has those that are left counted again: what an incident or a
 * remedy has rolled out would show the next agent what happened here before, and a change log would compare with it. For a
 * healthy arena.
 */
export async function dropFormerRevisions({ cluster, namespace }: ArenaContext): Promise<void> {
  /** Its controller gives it the number after that of the former ones, and there are none. */
  const countFromOne = async ({ metadata }: KubeObject): Promise<void> => {
    if (numberOf(metadata) === "1" && metadata.annotations?.[revisionHistory] === undefined) return;
    const body = { metadata: { annotations: { [revisionNumber]: null, [revisionHistory]: null } } };
    await cluster.patch(kinds.replicaSet, namespace, metadata.name, { type: "merge", body });
  };
  const [sets, deployments, stored, owners] = await Promise.all([
    cluster.list(kinds.replicaSet, { namespace }),
    cluster.list(kinds.deployment, { namespace }),
    cluster.list(kinds.controllerRevision, { namespace }),
    cluster.list(kinds.statefulSet, { namespace }),
  ]);
  const numbers = new Map(deployments.map(({ metadata }) => [metadata.uid, numberOf(metadata)]));
  const known = sets.filter((set) => numbers.get(ownerOf(set)) !== undefined);
  const isCurrent = (set: KubeObject): boolean => numbers.get(ownerOf(set)) === numberOf(set.metadata);
  for (const set of known)
    if (!isCurrent(set) && isFormer(set))
      await cluster.delete(kinds.replicaSet, namespace, set.metadata.name);
  for (const set of known) if (isCurrent(set)) await countFromOne(set);
  const used = new Map(owners.map((owner) => [owner.metadata.uid, revisionsInUse(owner)]));
  for (const revision of stored) {
    const inUse = used.get(ownerOf(revision));
    if (!inUse || inUse.length === 0 || inUse.includes(revision.metadata.name)) continue;
    await cluster.delete(kinds.controllerRevision, namespace, revision.metadata.name);
  }
}

const numberOf = ({ annotations }: KubeObject["metadata"]): string | undefined =>
  annotations?.[revisionNumber];
const ownerOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller)?.uid;

function revisionsInUse(set: KubeObject): unknown[] {
  const status = isJsonObject(set["status"]) ? set["status"] : {};
  return [status["currentRevision"], status["updateRevision"]].filter((name) => name !== undefined);
}

const isFormer = (set: KubeObject): boolean =>
  set.metadata.ownerReferences !== undefined && (set as Workload).spec?.replicas === 0;
