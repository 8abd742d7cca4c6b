/** P(X = k) for X ~ Binomial(n, p), in logarithms so that large n do not underflow. */
function pointProbability(n: number, p: number, k: number): number {
  if (p <= 0) return k === 0 ? 1 : 0;
  if (p >= 1) return k === n ? 1 : 0;
  let log = k * Math.log(p) + (n - k) * Math.log1p(-p);
  for (let i = 1; i <= k; i++) log += Math.log(n - k + i) - Math.log(i);
  return Math.exp(log);
}

/** P(X <= k) for X ~ Binomial(n, p). */
export function atMost(n: number, p: number, k: number): number {
  let sum = 0;
  for (let i = 0; i <= Math.min(k, n); i++) sum += pointProbability(n, p, i);
  return Math.min(1, sum);
}

/** P(X >= k) for X ~ Binomial(n, p). */
export function atLeast(n: number, p: number, k: number): number {
  let sum = 0;
  for (let i = Math.max(0, k); i <= n; i++) sum += pointProbability(n, p, i);
  return Math.min(1, sum);
}

/** P(X <= k) for X ~ Poisson(mean), in logarithms: exp(-mean) is 0 from a mean of 746 on. */
export function poissonAtMost(mean: number, k: number): number {
  let log = -mean;
  let sum = Math.exp(log);
  for (let i = 1; i <= k; i++) {
    log += Math.log(mean / i);
    sum += Math.exp(log);
  }
  return Math.min(1, sum);
}

/** A test on n yes-or-no trials that passes with at most `mostBad` bad ones. */
export interface SamplePlan {
  readonly size: number;
  readonly mostBad: number;
  /** Chance that it passes although the trials go wrong with `badRate`. */
  readonly missed: number;
  /** Chance that it fails although they go wrong with `cleanRate` only. */
  readonly falseAlarm: number;
}

/** What a sample must distinguish, and how often it may be wrong. All four are probabilities, 0 to 1. */
export interface SampleDemand {
  /** Chance of a bad trial under the failure. */
  readonly badRate: number;
  /** Chance of a bad trial that still counts as clean. */
  readonly cleanRate: number;
  readonly mostMissed: number;
  readonly mostFalseAlarms: number;
}

const largestSample = 1000;

/**
 * The smallest test that keeps both errors below their bounds, by exact binomial tails: an acceptance sampling plan
 * with the smallest n for which a number of bad trials exists. Throws a RangeError when none of up to 1000 trials
 * does.
 */
export function smallestSample(demand: SampleDemand): SamplePlan {
  const { badRate, cleanRate, mostMissed, mostFalseAlarms } = demand;
  for (let size = 1; size <= largestSample; size++) {
    for (let mostBad = 0; atMost(size, badRate, mostBad) < mostMissed; mostBad++) {
      const falseAlarm = atLeast(size, cleanRate, mostBad + 1);
      if (falseAlarm < mostFalseAlarms)
        return { size, mostBad, missed: atMost(size, badRate, mostBad), falseAlarm };
    }
  }
  throw new RangeError(
    `no sample of up to ${largestSample} trials distinguishes ${badRate} from ${cleanRate}`,
  );
}
