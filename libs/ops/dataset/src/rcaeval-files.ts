import { levelOf, spanId, type TelemetryWindow } from "@microremed/telemetry";
import { stringify } from "csv-stringify/sync";
import { serviceTable } from "./service-table.ts";

/** RCAEval's multi-source methods read logs and traces in steps of so many seconds. */
const seriesStepSeconds = 15;

type Cell = string | number | null;

/** A cell that a spreadsheet would run as a formula is text to it with a quote in front. */
const csv = (rows: readonly (readonly Cell[])[]): string =>
  stringify(rows as Cell[][], { escape_formulas: true });

/**
 * A case in the files of RCAEval. `injectedAt` (cluster time, ms) is null for a healthy system, which RCAEval has no
 * place for.
 */
export function rcaevalFiles(
  window: TelemetryWindow,
  injectedAt: number | null,
  metricsOnly: boolean,
): ReadonlyMap<string, string> {
  const { header, rows } = serviceTable(window);
  const files = new Map([["data.csv", csv([[...header], ...rows])]]);
  if (injectedAt !== null) files.set("inject_time.txt", `${injectSecond(window, injectedAt)}\n`);
  if (metricsOnly) return files;
  files.set("logs.csv", logsCsv(window));
  files.set("traces.csv", tracesCsv(window));
  files.set("logts.csv", logSeries(window));
  files.set(
    "tracets_err.csv",
    spanSeries(window, (spans) => spans.filter(({ failed }) => failed).length),
  );
  files.set("tracets_lat.csv", spanSeries(window, meanMicros));
  return files;
}

/** RCAEval takes rows from this second on as faulty: the last healthy row is one whose whole step is. */
function injectSecond({ at }: TelemetryWindow, injectedAt: number): number {
  const firstFaulty = at.find((end) => end > injectedAt) ?? Number.POSITIVE_INFINITY;
  return Math.min(seconds(injectedAt) + 1, seconds(firstFaulty));
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

function logsCsv({ logs }: TelemetryWindow): string {
  const header = ["time", "timestamp", "container_name", "pod", "level", "message"];
  const rows = logs.map(({ at, pod, workload, text }): Cell[] => [
    seconds(at),
    `${BigInt(Math.round(at)) * 1_000_000n}`,
    workload,
    pod,
    levelOf(text) ?? "",
    text,
  ]);
  return csv([header, ...rows]);
}

interface FlatSpan {
  readonly service: string;
  readonly method: string;
  /** Cluster time, ms. */
  readonly start: number;
  readonly micros: number;
  readonly failed: boolean;
}

function spansOf({ traces }: TelemetryWindow): FlatSpan[] {
  return traces.flatMap(({ start, spans }) =>
    spans.map(([service, method, , after, took, , error]) => ({
      ...{ service, method, start: start + after, micros: Math.round(took * 1000), failed: error !== "" },
    })),
  );
}

function tracesCsv({ traces }: TelemetryWindow): string {
  const header =
    "time traceID spanID serviceName methodName operationName startTimeMillis startTime duration statusCode parentSpanID";
  const rows = traces.flatMap(({ id, start, spans }) =>
    spans.map(([service, method, kind, after, took, parent, error], position): Cell[] => {
      const at = start + after;
      const micros = [Math.round(at * 1000), Math.round(took * 1000)];
      const parentId = parent < 0 ? "" : spanId(id, parent);
      return [
        ...[seconds(at), id, spanId(id, position), service, method, kind, Math.floor(at), ...micros],
        ...[error === "" ? 0 : 2, parentId],
      ];
    }),
  );
  return csv([header.split(" "), ...rows]);
}

/** Lines of each service and level in each step. */
function logSeries(window: TelemetryWindow): string {
  const lines = window.logs.map(({ at, workload, text }) => ({
    at,
    column: `${workload}_log-${(levelOf(text) ?? "other").toLowerCase()}`,
  }));
  return series(window, lines, (found) => found.length);
}

/** A measurement of the spans of each service and operation in each step. */
function spanSeries(window: TelemetryWindow, measure: (spans: readonly FlatSpan[]) => Cell): string {
  const spans = spansOf(window).map((span) => ({
    ...span,
    at: span.start,
    // RCAEval takes what is before the first underscore for the service.
    column: `${span.service}_${span.method.replaceAll(/[^A-Za-z0-9./-]+/g, "-")}`,
  }));
  return series(window, spans, measure);
}

const meanMicros = (spans: readonly FlatSpan[]): Cell =>
  spans.length === 0 ? null : Math.round(spans.reduce((sum, { micros }) => sum + micros, 0) / spans.length);

function series<T extends { readonly at: number; readonly column: string }>(
  { from, to }: TelemetryWindow,
  items: readonly T[],
  measure: (found: readonly T[]) => Cell,
): string {
  const columns = Map.groupBy(items, ({ column }) => column);
  const names = [...columns.keys()].sort();
  const stepMs = seriesStepSeconds * 1000;
  const ends = Array.from(
    { length: Math.floor((to - from) / stepMs) },
    (_, step) => from + (step + 1) * stepMs,
  );
  const perColumn = names.map((name) => {
    const found = columns.get(name) ?? [];
    const byStep = Map.groupBy(found, ({ at }) => Math.ceil((at - from) / stepMs));
    return ends.map((_, step) => measure(byStep.get(step + 1) ?? []));
  });
  const rows = ends.map((end, step) => [seconds(end), ...perColumn.map((values) => values[step] ?? null)]);
  return csv([["time", ...names], ...rows]);
}
