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
