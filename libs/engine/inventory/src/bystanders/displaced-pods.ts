import { type Cluster, kinds } from "@microremed/cluster";

/** Reasons of events that only the cluster's own programs write. */
const reasons = ["Evicted", "Preempted", "TaintManagerEviction"];

/** uids of pods that kubelets, the scheduler or taints have put away: no agent has ended them. */
export async function readDisplacedPods(cluster: Cluster, namespace: string): Promise<ReadonlySet<string>> {
  const events = await Promise.all(
    reasons.map((reason) => cluster.list(kinds.event, { namespace, fieldSelector: `reason=${reason}` })),
  );
  return new Set(events.flat().flatMap(({ involvedObject }) => involvedObject?.uid ?? []));
}
