import { deviationOf, meanOf, quantileOf, type Rng } from "@microremed/catalogue";

/** What a change of a metric counts that was constant, and the most that any change counts. */
const mostScore = 10;
/** Share of the mean that a deviation is taken to be at least: a short reference knows too little of the noise. */
const leastDeviation = 0.1;
/** Changes that are none: rounding. */
const rounding = 1e-6;
/** Moments that are drawn, the length of what is drawn together, and the share of them that is below the threshold. */
const draws = { moments: 10_000, block: 4, share: 0.999 };
/** The threshold is one deviation of all metrics at least. */
const leastThreshold = 1;
/** Successive moments above the threshold that make an anomaly. */
const successive = 3;

/** |x - mean| / deviation of a value against its reference, at most 10. */
function kSigma(value: number, reference: readonly number[]): number {
  const mean = meanOf(reference);
  const change = Math.abs(value - mean);
  if (change < rounding) return 0;
  const deviation = Math.max(deviationOf(reference), leastDeviation * Math.abs(mean));
  return deviation < rounding ? mostScore : Math.min(mostScore, change / deviation);
}

const rootMeanSquare = (values: readonly number[]): number =>
  Math.sqrt(meanOf(values.map((value) => value ** 2)));

/** The score of every moment: the root mean square of the K-sigma scores of all metrics. `first`: moments of reference. */
export function momentScores(series: readonly (readonly number[])[], first: number): number[] {
  const scores = series.map((values) => values.map((value) => kSigma(value, values.slice(0, first))));
  return Array.from({ length: series[0]?.length ?? 0 }, (_, moment) =>
    rootMeanSquare(scores.map((row) => row[moment] ?? 0)),
  );
}

/** The score that 99.9 % of moments stay below which are drawn from the reference, in blocks and each metric by itself. */
export function monteCarloThreshold(series: readonly (readonly number[])[], first: number, rng: Rng): number {
  const scores = series.map((values) =>
    values.slice(0, first).map((value) => kSigma(value, values.slice(0, first))),
  );
  const changing = scores.filter((row) => row.some((score) => score > 0));
  if (changing.length === 0) return leastThreshold;
  const drawn: number[] = [];
  while (drawn.length < draws.moments) {
    const starts = changing.map((row) => rng.int(Math.max(1, row.length - draws.block + 1)));
    for (let offset = 0; offset < draws.block; offset++) {
      const squares = changing.map((row, i) => (row[((starts[i] ?? 0) + offset) % row.length] ?? 0) ** 2);
      drawn.push(Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / scores.length));
    }
  }
  return Math.max(leastThreshold, quantileOf(drawn, draws.share) ?? 0);
}

/** Whether enough moments in a row are above the threshold. */
export function isAnomalous(scores: readonly number[], threshold: number): boolean {
  let run = 0;
  return scores.some((score) => {
    run = score > threshold ? run + 1 : 0;
    return run >= successive;
  });
}
