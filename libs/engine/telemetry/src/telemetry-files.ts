import { metricsCsv, metricsParquet } from "./metrics-files.ts";
import { logLines, traceLines } from "./otlp-files.ts";
import type { TelemetryWindow } from "./window.ts";

/** The files of a window, by name: metrics twice, logs and traces as OTLP's JSON lines, and its labels. */
export function telemetryFiles(
  window: TelemetryWindow,
  labels: object,
): ReadonlyMap<string, string | Uint8Array> {
  return new Map<string, string | Uint8Array>([
    ["metrics.parquet", metricsParquet(window)],
    ["metrics.csv", metricsCsv(window)],
    ["logs.jsonl", logLines(window)],
    ["traces.jsonl", traceLines(window)],
    ["labels.json", `${JSON.stringify(labels, null, 2)}\n`],
  ]);
}
