import { type Cluster, kinds } from "@microremed/cluster";

/**
 * uids of pods of which the kubelet has restarted a container that failed a probe, by its events, which agents cannot write: a
 * neighbour on the node may be the reason.
 */
export async function readUnwellPods(cluster: Cluster, namespace: string): Promise<ReadonlySet<string>> {
  const killed = await cluster.list(kinds.event, { namespace, fieldSelector: "reason=Killing" });
  return new Set(
    killed.flatMap(({ message, involvedObject }) =>
      / failed (liveness|startup) probe/.test(message ?? "") ? (involvedObject?.uid ?? []) : [],
    ),
  );
}
