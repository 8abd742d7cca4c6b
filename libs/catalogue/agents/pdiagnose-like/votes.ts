import { deviationOf, type MetricRow, meanOf, poissonTail } from "@microremed/catalogue";

/** An anomaly of one source, which speaks against a workload. */
export interface Vote {
  readonly workload: string;
  readonly source: "metrics" | "traces" | "logs";
}

/** Chances below which something counts as an anomaly. */
const rare = 0.01;
/** Weights of the moving average, the newest value last, and the deviations from it that count as an anomaly. */
const weights = Array.from({ length: 10 }, (_, i) => i + 1);
const mostSigma = 3;
/** Of a span's own time against before; and the least change, ms. */
const slower = { factor: 1.5, least: 1 };
/** A reference is taken to vary at least by this share of its mean. */
const leastDeviation = 0.1;
const rounding = 1e-6;
/** Lines with error words that a workload is taken to write in any window. */
const leastErrors = 0.5;

/** Chance of a standard normal value above z (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  const t = 1 / (1 + 0.2316419 * z);
  const series =
    t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

/** Chance of a value at least so far out, by a kernel density of the reference (Gaussian, Silverman's bandwidth). */
export function tailChance(value: number, reference: readonly number[]): number {
  const mean = meanOf(reference);
  const deviation = Math.max(deviationOf(reference), leastDeviation * Math.abs(mean), rounding);
  const bandwidth = 1.06 * deviation * reference.length ** -0.2;
  const above = meanOf(reference.map((one) => normalTail((value - one) / bandwidth)));
  return Math.min(above, 1 - above);
}

function leavesAverage(values: readonly number[], at: number, sigma: number): boolean {
  const window = values.slice(Math.max(0, at - weights.length), at);
  const own = weights.slice(-window.length);
  const total = own.reduce((sum, weight) => sum + weight, 0);
  const average = window.reduce((sum, value, i) => sum + value * (own[i] ?? 0), 0) / total;
  return window.length > 0 && Math.abs((values[at] ?? 0) - average) > mostSigma * sigma;
}

/** One vote for each metric of a workload that is out twice in a row; the first fifth of the values is the reference. */
export function votesOfMetrics(rows: readonly MetricRow[]): Vote[] {
  return rows.flatMap(({ name, values: measured }): Vote[] => {
    const values = measured.flatMap((value) => value ?? []);
    const first = Math.max(2, Math.floor(values.length / 5));
    const reference = values.slice(0, first);
    const sigma = Math.max(deviationOf(reference), leastDeviation * Math.abs(meanOf(reference)), rounding);
    const isOut = values.map(
      (value, i) => i >= first && (tailChance(value, reference) < rare || leavesAverage(values, i, sigma)),
    );
    return isOut.some((out, i) => out && isOut[i + 1]) ? [{ workload: name, source: "metrics" }] : [];
  });
}

const operation =
  /^(\S+) (calls )?(\S.*): ([\d.e+-]+) ms itself, (\d+) % failed, \d+ spans; before: (?:none|([\d.e+-]+) ms itself, (\d+) % failed, \d+ spans)$/gm;

/**
 * Votes for operations that take much longer by themselves or fail more often than before, from an answer of
 * `search_traces` with `compare`. Where a call's callee has no spans, the vote is against the callee.
 */
export function votesOfTraces(text: string): Vote[] {
  const found = [...text.matchAll(operation)].map(
    ([, service = "", calls, name = "", ms, failed, before, failedBefore]) => ({
      workload: calls === undefined ? service : (name.split(" ").at(-1) ?? service),
      service,
      isCall: calls !== undefined,
      isOut:
        Number(failed) > Number(failedBefore ?? 0) ||
        (before !== undefined &&
          Number(ms) > slower.factor * Number(before) &&
          Number(ms) - Number(before) > slower.least),
    }),
  );
  const traced = new Set(found.flatMap(({ isCall, service }) => (isCall ? [] : [service])));
  return found
    .filter(({ isOut, isCall, workload }) => isOut && !(isCall && traced.has(workload)))
    .map(({ workload }) => ({ workload, source: "traces" }));
}

/** Lines with error words of one workload, lately and in all of the time. */
export interface ErrorLines {
  readonly workload: string;
  readonly lately: number;
  readonly all: number;
}

const counted = /^[a-z.]+\/([a-z0-9.-]+) (\d+) (\d+)$/gm;

/** Reads `deployment.apps/cart 3 4`, a line for each workload. */
export const errorLines = (text: string): ErrorLines[] =>
  [...text.matchAll(counted)].map(([, workload = "", lately, all]) => ({
    workload,
    lately: Number(lately),
    all: Number(all),
  }));

/** Votes where lately (`since` seconds) there were more error lines than the time before (`first` seconds) lets expect. */
export function votesOfLogs(
  lines: readonly ErrorLines[],
  { since, first }: { readonly since: number; readonly first: number },
): Vote[] {
  return lines
    .filter(({ lately, all }) => {
      const expected = Math.max(leastErrors, ((all - lately) * since) / first);
      return poissonTail(lately, expected) < rare;
    })
    .map(({ workload }) => ({ workload, source: "logs" }));
}

/** Workloads by their votes, the most first; of several with as many, one with votes of more kinds of sources. */
export function winners(votes: readonly Vote[]): string[] {
  const by = [...Map.groupBy(votes, ({ workload }) => workload)].map(([workload, own]) => ({
    workload,
    count: own.length,
    sources: new Set(own.map(({ source }) => source)).size,
  }));
  return by
    .sort((a, b) => b.count - a.count || b.sources - a.sources || (a.workload < b.workload ? -1 : 1))
    .map(({ workload }) => workload);
}
