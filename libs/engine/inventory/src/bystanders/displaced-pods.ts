import { type Cluster, type Event, type KubeObject, kinds } from "@microremed/cluster";

/** Reasons of events that only the cluster's own programs write. */
const reasons = ["Evicted", "Preempted", "TaintManagerEviction"];

/**
 * uids of pods that kubelets, the scheduler or taints have removed without anyone making them do so: an agent can make a pod that
 * preempts others, or let a container write more than it may. `objects`: what is in the namespace now.
 */
export async function readDisplacedPods(
  cluster: Cluster,
  namespace: string,
  objects: readonly KubeObject[],
): Promise<ReadonlySet<string>> {
  const uids = new Set(objects.flatMap(({ kind, metadata }) => (kind === "Pod" ? [metadata.uid] : [])));
  const events = await Promise.all(
    reasons.map((reason) => cluster.list(kinds.event, { namespace, fieldSelector: `reason=${reason}` })),
  );
  return new Set(
    events
      .flat()
      .filter((event) => isClustersOwn(event, { namespace, uids }))
      .flatMap(({ involvedObject }) => involvedObject?.uid ?? []),
  );
}

interface Present {
  readonly namespace: string;
  /** Of its pods. */
  readonly uids: ReadonlySet<string | undefined>;
}

/**
 * A pod that preempted others and is gone may have been made for that; one that is still there is compared as every pod is. A node
 * that runs short is no one's doing, a pod that exceeds its own limits is.
 */
export function isClustersOwn(
  { reason, message = "", related }: Event & { readonly reason?: unknown },
  { namespace, uids }: Present,
): boolean {
  if (reason === "Evicted") return message.startsWith("The node was low on resource");
  if (reason !== "Preempted") return true;
  if (related?.namespace !== undefined && related.namespace !== namespace) return true;
  return uids.has(related?.uid ?? /^Preempted by (?:pod )?([\w-]+)/.exec(message)?.[1]);
}
