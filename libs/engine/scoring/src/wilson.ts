/** The bounds of a 95 % confidence interval. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Two-sided 95 % quantile of the standard normal distribution. */
const z = 1.959963984540054;

/**
 * 95 % score interval of a proportion (Wilson 1927): keeps its coverage for small samples and for proportions at 0
 * and 1, where the usual plus-minus interval collapses. `undefined` without any trial.
 */
export function wilsonInterval(successes: number, trials: number): Interval | undefined {
  if (trials === 0) return undefined;
  const p = successes / trials;
  const spread = z ** 2 / trials;
  const centre = (p + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((p * (1 - p)) / trials + spread / (4 * trials))) / (1 + spread);
  // At 0 and 1 the bound is exact; computed, it is off by a rounding error that a table of numbers would show.
  return {
    low: successes === 0 ? 0 : centre - half,
    high: successes === trials ? 1 : centre + half,
  };
}
