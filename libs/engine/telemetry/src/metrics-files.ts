import { SeriesName } from "@microremed/contracts";
import { stringify } from "csv-stringify/sync";
import { parquetWriteBuffer } from "hyparquet-writer";
import { metricColumns } from "./metric-columns.ts";
import type { TelemetryWindow } from "./window.ts";

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

/** The same rows, typed; `time` is the same moment as a timestamp. */
export function metricsParquet(window: TelemetryWindow): Uint8Array {
  const rows = rowsOf(window);
  const columnData = [
    { name: "time", type: "TIMESTAMP" as const, data: rows.map(([time]) => new Date(time)) },
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
