/** CFS bandwidth: a quota of `limit` x 100 ms per period of 100 ms, and never below 1 ms per period. */
export const periodSeconds = 0.1;
const smallestQuota = 0.01;

/** Cores that the kernel lets a container use; a limit below 10m is enforced as 10m. */
export const quotaOf = (limit: number | undefined): number =>
  limit === undefined ? Number.POSITIVE_INFINITY : Math.max(smallestQuota, limit);

/**
 * The weight that cgroup v2 gives a container for its request, in cores: 1 without a request. The kubelet asks for 1024
 * shares a core, at least 2, and runc turns 2 to 262144 shares into weights of 1 to 10000.
 */
export function weightOf(request: number): number {
  const shares = Math.min(262_144, Math.max(2, Math.floor(Math.round(request * 1000) * 1.024)));
  return 1 + Math.floor(((shares - 2) * 9999) / 262_142);
}

/**
 * Max-min fairness (Bertsekas & Gallager 1992, section 6.5), what CFS does among runnable tasks of equal weight: the
 * level up to which each demand is served, so that the sum of min(demand, level) is the capacity. In cores. Infinite
 * when the capacity serves all.
 */
export function fairLevel(capacity: number, demands: readonly number[]): number {
  let wanted = 0;
  for (const demand of demands) wanted += demand;
  if (wanted <= capacity) return Number.POSITIVE_INFINITY;
  let left = capacity;
  let open = demands.length;
  for (const demand of [...demands].sort((a, b) => a - b)) {
    const level = Math.max(0, left / open);
    if (demand > level) return level;
    left -= demand;
    open--;
  }
  return Number.POSITIVE_INFINITY;
}

/** Max-min fairness with weights (cgroups' cpu.weight follows the request): each one's share of the capacity. */
export function weightedShares(
  capacity: number,
  wants: readonly number[],
  weights: readonly number[],
): readonly number[] {
  const levels = wants.map((want, index) => want / (weights[index] || 1));
  const order = levels.map((_, index) => index).sort((a, b) => (levels[a] ?? 0) - (levels[b] ?? 0));
  const shares = wants.map(() => 0);
  let left = capacity;
  let weight = weights.reduce((sum, item) => sum + item, 0);
  for (const index of order) {
    const own = weights[index] ?? 1;
    const share = Math.min(wants[index] ?? 0, weight > 0 ? (left * own) / weight : 0);
    shares[index] = Math.max(0, share);
    left -= share;
    weight -= own;
  }
  return shares;
}

/**
 * Seconds that `work` core-seconds take in one thread that may use `share` cores. Where others keep the quota used up,
 * it proceeds at its share; else it runs at full speed until the quota of the period is used up, and waits for the next.
 */
export function workSeconds(work: number, share: number, contended: boolean): number {
  if (work <= 0) return 0;
  if (share <= 0) return Number.POSITIVE_INFINITY;
  if (contended) return work / Math.min(1, share);
  const perPeriod = share * periodSeconds;
  if (work <= perPeriod || share >= 1) return work;
  const periods = Math.floor(work / perPeriod);
  return periods * periodSeconds + (work - periods * perPeriod);
}
