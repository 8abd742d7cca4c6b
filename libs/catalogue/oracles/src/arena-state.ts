import { type Cluster, kinds, type Pod, type Workload } from "@microremed/cluster";

/** The workloads and pods of an arena as the API server had them at one moment. */
export interface ArenaState {
  /** Cluster time, ms. */
  readonly at: number;
  /** Deployments and StatefulSets, by name. */
  readonly workloads: ReadonlyMap<string, Workload>;
  readonly pods: readonly Pod[];
}

export async function observeArena(cluster: Cluster, namespace: string): Promise<ArenaState> {
  const [at, deployments, statefulSets, pods] = await Promise.all([
    cluster.clock.now(),
    cluster.list(kinds.deployment, { namespace }),
    cluster.list(kinds.statefulSet, { namespace }),
    cluster.list(kinds.pod, { namespace }),
  ]);
  const workloads = new Map([...deployments, ...statefulSets].map((one) => [one.metadata.name, one]));
  return { at, workloads, pods };
}
