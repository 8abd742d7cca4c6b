import { SeriesName } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import {
  NotHere,
  type Place,
  readSeries,
  readTraces,
  type SeriesRow,
} from "@microremed/kubectl/over-cluster";
import { createLogReader } from "./read-logs.ts";
import {
  bounds,
  type LogLine,
  type PodMetrics,
  type TelemetryWindow,
  type WindowTrace,
  type WorkloadMetrics,
} from "./window.ts";

/** Jaeger gives at most so many traces of a program at once. */
const tracesAtOnce = 1_500;

/** The stretch and step of a window; times are cluster time, ms. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly stepSeconds: number;
}

/**
 * Collects what a cluster forgets soon: traces and lines of logs. Metrics are kept for longer and read at the end.
 */
export interface Collector {
  /** Takes what has come since the last time. */
  collect(): Promise<void>;
  /** What there is of a stretch. Throws `invalid-request` for one of too many steps. */
  window(stretch: Stretch): Promise<TelemetryWindow>;
}

/** Collects an arena's telemetry from `from` on (cluster time, ms). */
export function createCollector(place: Place, from: number): Collector {
  const traces = new Map<string, WindowTrace>();
  const lines: LogLine[] = [];
  const readLogs = createLogReader(place);
  const left = { traces: 0, lines: 0 };
  const missing = new Set<"metrics" | "traces">();
  let since = from;

  async function collect(): Promise<void> {
    const now = await place.cluster.clock.now();
    if (now <= since) return;
    for (const trace of await tracesOf({ from: since, now })) traces.set(trace.id, trace);
    lines.push(...(await readLogs({ from: since, to: now })));
    left.traces += forgetOldest(traces, bounds.traces);
    left.lines += Math.max(0, lines.length - bounds.lines);
    lines.splice(0, lines.length - bounds.lines);
    since = now;
  }

  async function tracesOf({ from, now }: { from: number; now: number }): Promise<WindowTrace[]> {
    try {
      const found = await readTraces({ limit: tracesAtOnce }, { now, from, to: now }, place);
      return found.map(({ id, start, spans }) => ({ id, start, spans: spans.map((span) => [...span]) }));
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      missing.add("traces");
      return [];
    }
  }

  return {
    collect,
    async window({ from, to, stepSeconds }) {
      await collect();
      if ((to - from) / 1000 / stepSeconds > bounds.steps)
        throw terminal("invalid-request", `a window has at most ${bounds.steps} steps`);
      const { at, pods, workloads } = await metricsOf(
        { from, to, stepMs: stepSeconds * 1000 },
        place,
        missing,
      );
      const within = (time: number): boolean => time > from && time <= to;
      return {
        version: 1,
        namespace: place.namespace,
        ...{ from, to, stepSeconds, at: [...at] },
        pods: pods.slice(0, bounds.pods),
        workloads: workloads.slice(0, bounds.pods),
        traces: [...traces.values()].filter(({ start }) => within(start)).sort(byStart),
        logs: lines.filter(({ at }) => within(at)).sort(byTime),
        left: { pods: Math.max(0, pods.length - bounds.pods), ...left },
        missing: [...missing].sort(),
      };
    },
  };
}

/** How many went. */
function forgetOldest(traces: Map<string, WindowTrace>, most: number): number {
  const newest = [...traces.values()].sort((a, b) => b.start - a.start);
  let spans = 0;
  const kept = newest.findIndex((trace, place) => {
    spans += trace.spans.length;
    return place >= most || spans > bounds.spans;
  });
  const extra = kept < 0 ? [] : newest.slice(kept).map(({ id }) => id);
  for (const id of extra) traces.delete(id);
  return extra.length;
}

const byStart = (a: WindowTrace, b: WindowTrace): number => a.start - b.start || (a.id < b.id ? -1 : 1);
const keyOf = ({ pod, container }: LogLine): string => `${pod}/${container}`;
const byTime = (a: LogLine, b: LogLine): number =>
  a.at - b.at || (keyOf(a) === keyOf(b) ? 0 : keyOf(a) < keyOf(b) ? -1 : 1);

interface Metrics {
  readonly at: readonly number[];
  readonly pods: PodMetrics[];
  readonly workloads: WorkloadMetrics[];
}

async function metricsOf(
  range: { readonly from: number; readonly to: number; readonly stepMs: number },
  place: Place,
  missing: Set<"metrics" | "traces">,
): Promise<Metrics> {
  const read = (per: "pod" | "workload") => readSeries({ names: SeriesName.options, per, ...range }, place);
  try {
    const { at, rows } = await read("pod");
    const pods = tables(at, rows, ({ pod = "" }) => pod);
    const workloads = tables(at, (await read("workload")).rows, ({ workload }) => workload);
    return {
      at,
      pods: pods.map(({ name: pod, workload, values }) => ({ pod, workload, values })),
      workloads: workloads.map(({ workload, values }) => ({ workload, values })),
    };
  } catch (error) {
    if (!(error instanceof NotHere)) throw error;
    missing.add("metrics");
    return { at: [], pods: [], workloads: [] };
  }
}

/** All measurements of each pod or workload side by side, by name. */
function tables(at: readonly number[], rows: readonly SeriesRow[], nameOf: (row: SeriesRow) => string) {
  const byName = [...Map.groupBy(rows, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return byName.map(([name, measured]) => {
    const valuesOf = (wanted: SeriesName): (number | null)[] => {
      const found = measured.find((row) => row.name === wanted);
      return at.map((_, step) => rounded(found?.values[step] ?? null));
    };
    const values = Object.fromEntries(SeriesName.options.map((wanted) => [wanted, valuesOf(wanted)]));
    return { name, workload: measured[0]?.workload ?? name, values: values as PodMetrics["values"] };
  });
}

/** Six digits are more than any measurement has. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(6));
