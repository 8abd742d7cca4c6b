import { queryRange } from "@microremed/cluster/kubeconfig";
import type { SeriesName } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { z } from "zod";
import { type ClusterQuestion, NotHere, type Place, stretchOf } from "./place.ts";

type Question = Extract<ClusterQuestion, { kind: "series" }>;

/** Where a cluster keeps a history of its pods' metrics for who has no Prometheus. */
const history = { namespace: "observability", name: "metrics-history", port: 9090 } as const;

/** Most steps of a range, and most rows of an answer. */
const maxSteps = 720;
const maxRows = 400;

const Stored = z.object({
  names: z.array(z.string()),
  at: z.array(z.number()),
  series: z.array(
    z.object({
      pod: z.string(),
      workload: z.string(),
      values: z.array(z.array(z.number()).nullable()),
    }),
  ),
});

/** One measurement of one pod over time. */
export interface Row {
  readonly name: SeriesName;
  readonly pod: string;
  readonly workload: string;
  /** One a step; null: not measured. Cores, bytes, requests/s, shares (0..1), ms. */
  readonly values: readonly (number | null)[];
}

/** Measurements of the arena's pods over time. Throws `NotHere` where nothing keeps them. */
export async function series(question: Question, place: Place): Promise<string> {
  const { names, of, stepSeconds } = question;
  const { now, from, to } = await stretchOf(place, question);
  const stepMs = Math.max(stepSeconds * 1000, Math.ceil((to - from) / maxSteps));
  const { at, rows } = await readSeries(names, { from, to, stepMs }, place);
  const wanted = rows.filter(({ workload, pod }) => of === undefined || workload === of || pod === of);
  const left = Math.max(0, wanted.length - maxRows);
  return JSON.stringify({ now, at, rows: wanted.slice(0, maxRows).map(rounded), left });
}

/** Measurements of all pods of the arena in a range, whole. Throws `NotHere` where nothing keeps them. */
export function readSeries(names: readonly SeriesName[], range: SeriesRange, place: Place): Promise<Found> {
  const read = place.prometheus === undefined ? fromHistory : fromPrometheus;
  return read(names, range, place);
}

const rounded = (row: Row): Row => ({
  ...row,
  values: row.values.map((value) => (value === null ? null : Number(value.toPrecision(4)))),
});

/** Cluster time and step, ms. */
export interface SeriesRange {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
}

/** Measurements by pod. */
export interface Found {
  /** Cluster time, ms: the end of each step. */
  readonly at: readonly number[];
  readonly rows: readonly Row[];
}

async function fromHistory(names: readonly SeriesName[], range: SeriesRange, place: Place): Promise<Found> {
  const { cluster, namespace } = place;
  const { from, to, stepMs } = range;
  const text = await cluster.fetchText(
    { kind: "services", ...history },
    `/api/v1/series?namespace=${namespace}&from=${from}&to=${to}&step=${stepMs}`,
  );
  const stored = Stored.safeParse(parseJson(text ?? ""));
  if (!stored.success)
    throw new NotHere(
      "This cluster keeps no history of its metrics (it has no Prometheus). Without `metric` you get the CPU and memory of every container now.",
    );
  const { at, series: pods, names: columns } = stored.data;
  const rows = names.flatMap((name) => {
    const column = columns.indexOf(name);
    return pods.map(({ pod, workload, values }) => ({
      name,
      pod,
      workload,
      values: values.map((moment) => moment?.[column] ?? null),
    }));
  });
  return { at, rows };
}

/** Rate of a series of OpenTelemetry's histograms of served requests, HTTP or gRPC, per pod. */
const served = (suffix: string, of: string, by = "pod"): string =>
  ["http_server_request", "rpc_server_call"]
    .map((name) => `sum by (${by}) (rate(${name}_duration_seconds_${suffix}{${of}}[1m]))`)
    .join(" or ");

/** In the names of cAdvisor and of OpenTelemetry's semantic conventions. */
const recipes: Readonly<Record<SeriesName, (selector: string) => string>> = {
  cpu: (of) => `sum by (pod) (rate(container_cpu_usage_seconds_total{${of},container!=""}[1m]))`,
  memory: (of) => `sum by (pod) (container_memory_working_set_bytes{${of},container!=""})`,
  requests: (of) => served("count", of),
  errors: (of) =>
    `(${served("count", `${of},error_type!=""`)} or 0 * (${served("count", of)})) / (${served("count", of)})`,
  latency: (of) => `1000 * (${served("sum", of)}) / (${served("count", of)})`,
  latency_p95: (of) => `1000 * histogram_quantile(0.95, ${served("bucket", of, "pod, le")})`,
};

async function fromPrometheus(
  names: readonly SeriesName[],
  range: SeriesRange,
  place: Place,
): Promise<Found> {
  const { namespace, prometheus = "", timeoutMs, signal } = place;
  const { from, to, stepMs } = range;
  const steps = Math.max(1, Math.floor((to - from) / stepMs));
  const at = Array.from({ length: steps }, (_, step) => to - (steps - 1 - step) * stepMs);
  const selector = `namespace=${JSON.stringify(namespace)}`;
  const rows = await Promise.all(
    names.map(async (name): Promise<Row[]> => {
      const query = recipes[name](selector);
      const [start = to] = at;
      const found = await queryRange(prometheus, { query, from: start, to, stepMs }, { timeoutMs, signal });
      return found.map(({ metric, values = [] }) => {
        const pod = metric["pod"] ?? "";
        const byTime = new Map(values.map(([seconds, value]) => [Math.round(seconds * 1000), Number(value)]));
        const valueAt = (moment: number): number | null => {
          const value = byTime.get(Math.round(moment));
          return value === undefined || Number.isNaN(value) ? null : value;
        };
        return { name, pod, workload: workloadOf(pod), values: at.map(valueAt) };
      });
    }),
  );
  return { at, rows: rows.flat() };
}

/** The name of the workload in a generated name of a pod. */
const workloadOf = (pod: string): string => pod.replace(/(-[a-z0-9]{6,10})?-[a-z0-9]{5}$|-\d+$/, "");
