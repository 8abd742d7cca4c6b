import type { Pod, Workload } from "@microremed/cluster";

/** The workloads and pods of an arena as the API server had them at one moment. */
export interface ArenaState {
  /** Cluster time, ms. */
  readonly at: number;
  /** Deployments, StatefulSets and, with the counts of these, DaemonSets, by name. */
  readonly workloads: ReadonlyMap<string, Workload>;
  readonly pods: readonly Pod[];
}
