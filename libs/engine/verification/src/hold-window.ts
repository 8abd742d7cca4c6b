/** Cluster time, ms, between the first pass and the one that confirms it: longer than the sampling of metrics-server. */
export const shortestHoldMs = 20_000;
/** After three lost holds they grow no longer. */
const mostDoublings = 3;

/**
 * How long a pass must hold, after so many holds that were lost because requests were not served. A system that misses
 * an objective is asked again and again until a deadline: with windows that double there are few of these questions, and
 * each has twice the requests of the one before, so the chance that any of them passes by luck is bounded by a
 * geometric series.
 */
export function holdMs(lostHolds: number): number {
  return shortestHoldMs * 2 ** Math.min(lostHolds, mostDoublings);
}
