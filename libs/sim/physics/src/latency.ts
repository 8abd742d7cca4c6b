import type { Latency } from "@microremed/sim-network";

export type { Latency };

export const noLatency: Latency = { fixed: 0, mean: 0 };

/** One after the other; `times` of the second on average. A part that is only made sometimes has no fixed time. */
export function plus(first: Latency, second: Latency, times = 1): Latency {
  return {
    fixed: first.fixed + Math.floor(times) * second.fixed,
    mean: first.mean + times * second.mean,
  };
}

/**
 * Chance that it takes longer than `limitMs`: the tail of fixed + exponential(mean - fixed), e^(-(limit - fixed) /
 * spread).
 */
export function exceeds({ fixed, mean }: Latency, limitMs: number): number {
  if (!Number.isFinite(mean)) return 1;
  if (limitMs < fixed) return 1;
  const spread = mean - fixed;
  return spread <= 0 ? 0 : Math.exp(-(limitMs - fixed) / spread);
}

/**
 * The time that passes when the caller gives up at `limitMs`: the mean of min(X, limit), which is fixed + spread *
 * P(X <= limit) for a fixed part plus an exponential one.
 */
export function cutAt(latency: Latency, limitMs: number): Latency {
  if (!Number.isFinite(latency.mean) || latency.fixed >= limitMs) return { fixed: limitMs, mean: limitMs };
  const spread = latency.mean - latency.fixed;
  return { fixed: latency.fixed, mean: latency.fixed + spread * (1 - exceeds(latency, limitMs)) };
}

/** 95th percentile of a fixed part plus an exponential one: ln 20 is 3.0. */
export function percentile95({ fixed, mean }: Latency): number {
  return fixed + Math.log(20) * (mean - fixed);
}

/** Halvings after which a percentile is as exact as anybody reads it: 2^-40. */
const mostHalvings = 40;

/** 95th percentile of requests of several kinds together, each with its number; the numbers are above 0. */
export function percentile95Of(
  kinds: readonly { readonly count: number; readonly latency: Latency }[],
): number {
  const total = kinds.reduce((sum, { count }) => sum + count, 0);
  const each = kinds.map(({ latency }) => percentile95(latency));
  let [low, high] = [Math.min(...each), Math.max(...each)];
  for (let halving = 0; halving < mostHalvings && high > low; halving++) {
    const middle = (low + high) / 2;
    const above = kinds.reduce((sum, { count, latency }) => sum + count * exceeds(latency, middle), 0);
    if (above > 0.05 * total) low = middle;
    else high = middle;
  }
  return high;
}
