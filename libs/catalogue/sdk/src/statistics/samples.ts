/** Arithmetic mean; 0 of nothing. */
export const meanOf = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Standard deviation with n in the denominator; 0 of nothing. */
export function deviationOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return Math.sqrt(meanOf(values.map((value) => (value - mean) ** 2)));
}

/** The value below or at which a share (0..1) of the values is (nearest rank); undefined of nothing. */
export function quantileOf(values: readonly number[], share: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}

/** Ranks from 1; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

/** Spearman's rank correlation of two series of one length, -1..1; 0 where one of them does not change. */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  const spread = deviationOf(x) * deviationOf(y);
  if (spread === 0) return 0;
  return meanOf(x.map((rank, i) => (rank - meanX) * ((y[i] ?? 0) - meanY))) / spread;
}

/** Chance that a Poisson count with this mean is `count` or more. */
export function poissonTail(count: number, mean: number): number {
  let term = Math.exp(-mean);
  let below = 0;
  for (let k = 0; k < count; k++) {
    below += term;
    term *= mean / (k + 1);
  }
  return Math.max(0, 1 - below);
}
