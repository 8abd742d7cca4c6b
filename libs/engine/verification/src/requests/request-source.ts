import type { RequestsReading } from "@microremed/catalogue";
import type { Cluster, Pod } from "@microremed/cluster";

/**
 * Where an arena's request metrics come from. All of them are reached through the cluster's API. `nameOf`: the workload
 * that a pod belongs to.
 */
export type RequestSource = (
  cluster: Cluster,
  pods: readonly Pod[],
  nameOf: (pod: Pod) => string,
) => Promise<RequestsReading>;
