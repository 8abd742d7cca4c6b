import { isRefused, type KubeObject, kinds, type Workload } from "@microremed/cluster";
import type { Damage } from "@microremed/contracts";
import type { ArenaContext } from "./arena.ts";

/** Of a Deployment; its controller writes it again where it is missing. */
const revisionNumber = "deployment.kubernetes.io/revision";

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

const isFormer = (set: KubeObject): boolean =>
  set.metadata.ownerReferences !== undefined && (set as Workload).spec?.replicas === 0;
