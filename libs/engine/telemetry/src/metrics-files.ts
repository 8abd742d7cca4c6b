import { SeriesName } from "@microremed/contracts";
import { stringify } from "csv-stringify/sync";
import { parquetWriteBuffer } from "hyparquet-writer";
import type { TelemetryWindow } from "./window.ts";

/** The measured columns of a table of metrics, with what they are. */
export const metricColumns: Readonly<Record<SeriesName, { readonly name: string; readonly doc: string }>> = {
  cpu: { name: "cpu_cores", doc: "CPU time used in the step, in cores" },
  memory: { name: "memory_bytes", doc: "working set" },
  requests: { name: "requests_per_second", doc: "requests that the pod served" },
  errors: { name: "error_ratio", doc: "share of them that failed, 0 to 1" },
  latency: { name: "latency_mean_ms", doc: "mean time of a request" },
  latency_p95: { name: "latency_p95_ms", doc: "95th percentile of the same" },
};

type Row = readonly [number, string, string, ...(number | null)[]];

/** One row per step and pod that was measured in it. */
function rowsOf({ at, pods }: TelemetryWindow): Row[] {
  return at.flatMap((time, step) =>
    pods.flatMap(({ pod, workload, values }): Row[] => {
      const measured = SeriesName.options.map((name) => values[name]?.[step] ?? null);
      return measured.every((value) => value === null) ? [] : [[time, pod, workload, ...measured]];
    }),
  );
}

const header = ["time_unix_ms", "pod", "workload", ...SeriesName.options.map((of) => metricColumns[of].name)];

/** The metrics of a window as CSV: one row per step and pod, empty cells where nothing was measured. */
export function metricsCsv(window: TelemetryWindow): string {
  return stringify([header, ...rowsOf(window)]);
}

/** The same rows, typed. */
export function metricsParquet(window: TelemetryWindow): Uint8Array {
  const rows = rowsOf(window);
  const columnData = [
    { name: "time_unix_ms", type: "INT64" as const, data: rows.map(([time]) => BigInt(Math.round(time))) },
    { name: "pod", type: "STRING" as const, data: rows.map(([, pod]) => pod) },
    { name: "workload", type: "STRING" as const, data: rows.map(([, , workload]) => workload) },
    ...SeriesName.options.map((of, index) => ({
      name: metricColumns[of].name,
      type: "DOUBLE" as const,
      nullable: true,
      data: rows.map((row) => row[index + 3] ?? null),
    })),
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}
