import type { ArenaState } from "@microremed/catalogue";
import { asReplicas, type Cluster, kinds } from "@microremed/cluster";

/** The workloads and pods of an arena as they are now. */
export async function observeArena(cluster: Cluster, namespace: string): Promise<ArenaState> {
  const [at, deployments, statefulSets, daemonSets, pods] = await Promise.all([
    cluster.clock.now(),
    cluster.list(kinds.deployment, { namespace }),
    cluster.list(kinds.statefulSet, { namespace }),
    cluster.list(kinds.daemonSet, { namespace }),
    cluster.list(kinds.pod, { namespace }),
  ]);
  const all = [...deployments, ...statefulSets, ...daemonSets.map(asReplicas)];
  const workloads = new Map(all.map((one) => [one.metadata.name, one]));
  return { at, workloads, pods };
}
