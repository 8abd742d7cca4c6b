/** A workload's values in an answer of `query_metrics`; null: not measured. */
export interface MetricRow {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

const row = /^([a-z0-9][a-z0-9.-]*): ((?:-|[\d.e+-]+)(?: (?:-|[\d.e+-]+))*)$/gm;

/** The rows of an answer of `query_metrics` with `metric` and without `compare`, in its order. */
export function metricRows(text: string): MetricRow[] {
  return [...text.matchAll(row)].map(([, name = "", values = ""]) => ({
    name,
    values: values.split(" ").map((value) => (Number.isFinite(Number(value)) ? Number(value) : null)),
  }));
}

/**
 * The values of a row without gaps. Of what a workload uses (`cpu`, `memory`, `requests`) what is gone uses 0; without
 * requests there is no latency and no share of errors to measure: it stays as it was before, at the beginning as it was first.
 */
export function withoutGaps(values: MetricRow["values"], metric: string): number[] {
  const begun = values.findIndex((value) => value !== null);
  const isUsed = used.includes(metric);
  let last = values[begun] ?? 0;
  return values.map((value, i) => {
    last = value ?? (isUsed && i > begun ? 0 : last);
    return last;
  });
}

const used: readonly string[] = ["cpu", "memory", "requests"];

const clock = /every (\d+) s from (\d\d):(\d\d):(\d\d) to /;

/** When the values of such an answer were measured: seconds of the day of the first (UTC), and from one to the next. */
export function metricTimes(text: string): { readonly first: number; readonly step: number } | undefined {
  const [, step, ...time] = clock.exec(text) ?? [];
  if (step === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  return { first: hours * 3600 + minutes * 60 + seconds, step: Number(step) };
}
