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

const clock = /every (\d+) s from (\d\d):(\d\d):(\d\d) to /;

/** When the values of such an answer were measured: seconds of the day of the first (UTC), and from one to the next. */
export function metricTimes(text: string): { readonly first: number; readonly step: number } | undefined {
  const [, step, ...time] = clock.exec(text) ?? [];
  if (step === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = time.map(Number);
  return { first: hours * 3600 + minutes * 60 + seconds, step: Number(step) };
}
