import { isReady, type KubeObject, readySince, restartsOf } from "@microremed/sim-objects";

const phaseRank: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };

const byDeletionCost = (pod: KubeObject): number =>
  Number(pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? 0);

/** One criterion after the other; the smaller value goes first. */
const criteria: readonly ((pod: KubeObject) => number)[] = [
  (pod) => (pod.spec?.nodeName ? 1 : 0),
  (pod) => phaseRank[pod.status?.phase] ?? 1,
  (pod) => (isReady(pod) ? 1 : 0),
  byDeletionCost,
  (pod) => -(readySince(pod) ?? 0),
  (pod) => -restartsOf(pod),
  (pod) => -Date.parse(pod.metadata.creationTimestamp),
];

/**
 * Which pods a ReplicaSet gives up first: unassigned before assigned, pending before running, not ready before
 * ready, cheaper to delete, ready for a shorter time, more restarts, younger.
 */
export function podsToDelete(pods: readonly KubeObject[], count: number): readonly KubeObject[] {
  const ranked = [...pods].sort((a, b) => {
    for (const criterion of criteria) {
      const difference = criterion(a) - criterion(b);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  return ranked.slice(0, count);
}
