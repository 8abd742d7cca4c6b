/** `2 Insufficient cpu, 1 Too many pods`, in the scheduler's order. */
function counted(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(", ");
}

/** Why the pod fits on none of the nodes. */
export function noNodeFits(nodes: number, against: readonly (readonly string[])[]): string {
  return `0/${nodes} nodes are available: ${counted(against.flat())}.`;
}

/** A claim of the pod has no volume, which no eviction helps against. */
export function claimMissing(nodes: number, why: string): string {
  return `0/${nodes} nodes are available: ${why}. preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;
}

/** Reasons that go away with other pods. */
const curable =
  /^(Insufficient|Too many|node has pod using PersistentVolumeClaim|node\(s\) didn't (have free ports|match pod anti-affinity|satisfy existing pods anti-affinity|match pod topology spread constraints$))/;

/** Why nothing is evicted for the pod. */
export function noVictims(nodes: number, against: readonly (readonly string[])[]): string {
  const verdicts = against.map((reasons) =>
    reasons.every((reason) => curable.test(reason))
      ? "No preemption victims found for incoming pod"
      : "Preemption is not helpful for scheduling",
  );
  return `preemption: 0/${nodes} nodes are available: ${counted(verdicts)}.`;
}
