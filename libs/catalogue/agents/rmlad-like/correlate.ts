import { quantileOf, type Rng, rankCorrelation } from "@microremed/catalogue";

/** One metric of a workload. */
export interface NamedSeries {
  readonly name: string;
  readonly values: readonly number[];
}

/** Moments by which a metric may come after the logs, at most. */
const mostLag = 4;
/** Copies by which a correlation is made robust: each value changed by up to this share, some moments left out. */
const augmentation = { copies: 50, jitter: 0.05, dropped: 0.1 };
/** Moments that a correlation needs. */
const leastMoments = 4;

/** Workloads by their metric that moves most like the log anomaly, that one first; none where the logs do not change. */
export function ranked(anomaly: readonly number[], series: readonly NamedSeries[], rng: Rng): string[] {
  const best = new Map<string, number>();
  for (const { name, values } of series)
    best.set(name, Math.max(best.get(name) ?? 0, association(anomaly, values, rng)));
  return [...best]
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([name]) => name);
}

/** The strongest correlation over all lags, up and down alike: the median of the augmented copies. 0..1. */
export function association(anomaly: readonly number[], values: readonly number[], rng: Rng): number {
  // A metric or a log that never changes goes with nothing, whatever the jitter makes of it.
  if (new Set(values).size < 2 || new Set(anomaly).size < 2) return 0;
  const lags = Array.from({ length: mostLag + 1 }, (_, lag) => lag).filter(
    (lag) => values.length - lag >= leastMoments,
  );
  return Math.max(
    0,
    ...lags.map((lag) => medianOf(anomaly.slice(lag), values.slice(0, values.length - lag), rng)),
  );
}

function medianOf(anomaly: readonly number[], values: readonly number[], rng: Rng): number {
  const copies = Array.from({ length: augmentation.copies }, () => {
    const kept = values.map((_, i) => i).filter(() => rng.float() >= augmentation.dropped);
    const jittered = kept.map((i) => (values[i] ?? 0) * (1 + augmentation.jitter * (2 * rng.float() - 1)));
    return Math.abs(
      rankCorrelation(
        kept.map((i) => anomaly[i] ?? 0),
        jittered,
      ),
    );
  });
  return quantileOf(copies, 0.5) ?? 0;
}
