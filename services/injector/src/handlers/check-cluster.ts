import { type Clusters, kinds } from "@microremed/cluster";
import type { ClusterCheck, ClusterCheckReply } from "@microremed/contracts";
import { AppError } from "@microremed/core";

/** Whether a cluster's API server answers, with the credentials that all work on it is done with. */
export async function checkCluster(
  { cluster: name }: ClusterCheck,
  clusters: Pick<Clusters, "get">,
): Promise<ClusterCheckReply> {
  try {
    const cluster = await clusters.get(name);
    await cluster.get(kinds.namespace, undefined, "default");
    return { trouble: null };
  } catch (thrown) {
    return { trouble: AppError.from(thrown).message.slice(0, 2_000) };
  }
}
