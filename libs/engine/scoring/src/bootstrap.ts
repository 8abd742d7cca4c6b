import { createRng } from "@microremed/core";
import type { Interval } from "./wilson.ts";

/** Resamples: the ends of a 95 % interval then rest on 50 of them each. */
const resamples = 2_000;
/** Chance left out at each end of a 95 % interval. */
const tail = 0.025;

/**
 * 95 % percentile bootstrap interval of a mean (Efron & Tibshirani 1993, chapter 13). Each group is drawn as a whole:
 * runs of one case are not independent of one another. The seed decides the draws. `undefined` with fewer than two
 * groups, from which nothing can be learnt about their spread.
 */
export function bootstrapMean(
  groups: readonly (readonly number[])[],
  seed: number,
): (Interval & { readonly error: number }) | undefined {
  if (groups.length < 2) return undefined;
  const rng = createRng(seed, "bootstrap of a mean");
  const sums = groups.map((group) => group.reduce((sum, value) => sum + value, 0));
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let i = 0; i < groups.length; i++) {
      const drawn = rng.int(groups.length);
      sum += sums[drawn] ?? 0;
      count += groups[drawn]?.length ?? 0;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (resamples - 1))] ?? Number.NaN;
  return { low: at(tail), high: at(1 - tail), error: deviation(means) };
}

/** Standard deviation: of bootstrapped means it estimates the standard error. */
function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
