import type { PodMetrics, TelemetryWindow } from "@microremed/telemetry";

/** One row a step, one column a service and measurement. */
export interface ServiceTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly (number | null)[])[];
}

/** The columns of a service, with what they are. */
export const serviceColumns = {
  cpu: "CPU of all its pods, cores",
  mem: "working set of all its pods, bytes",
  load: "requests/s that it served",
  error: "share of them that failed, 0 to 1",
  latency: "mean time of a request, s",
  "latency-95": "95th percentile of the same in the slowest pod, s",
} as const;
type Column = keyof typeof serviceColumns;

type Values = { readonly [K in keyof PodMetrics["values"]]: number | null };

/**
 * The metrics of a window by service, as RCAEval reads them: `time` (s since the epoch) and `<service>_<metric>`. A service
 * without a pod uses nothing and serves nothing; one that served no request in a step has no latency there, an empty cell.
 */
export function serviceTable({ at, pods }: TelemetryWindow): ServiceTable {
  const byService = Map.groupBy(pods, ({ workload }) => workload);
  const services = [...byService.keys()].sort();
  const columns = services.flatMap((service) => {
    const own = byService.get(service) ?? [];
    const steps = at.map((_, step) => ofService(own.flatMap((pod) => valuesAt(pod, step) ?? [])));
    const named = (Object.keys(serviceColumns) as Column[]).map((column) => ({
      name: `${service}_${column}`,
      values: steps.map((values) => values[column]),
    }));
    return named.filter(({ values }) => values.some((value) => value !== null));
  });
  return {
    header: ["time", ...columns.map(({ name }) => name)],
    rows: at.map((time, step) => [
      Math.floor(time / 1000),
      ...columns.map(({ values }) => values[step] ?? null),
    ]),
  };
}

function valuesAt({ values }: PodMetrics, step: number): Values | undefined {
  const { cpu, memory, requests, errors, latency, latency_p95 } = values;
  const found = { cpu, memory, requests, errors, latency, latency_p95 };
  const now = Object.fromEntries(Object.entries(found).map(([name, series]) => [name, series[step] ?? null]));
  return now["cpu"] === null && now["requests"] === null ? undefined : (now as Values);
}

function ofService(pods: readonly Values[]): Record<Column, number | null> {
  const sum = (of: (pod: Values) => number | null): number =>
    pods.reduce((total, pod) => total + (of(pod) ?? 0), 0);
  const served = sum(({ requests }) => requests);
  const weighted = (of: (pod: Values) => number | null): number | null =>
    served > 0 ? sum((pod) => (of(pod) ?? 0) * (pod.requests ?? 0)) / served : null;
  const latency = weighted((pod) => pod.latency);
  const slowest = Math.max(0, ...pods.map(({ latency_p95 }) => latency_p95 ?? 0));
  return {
    cpu: digits(sum(({ cpu }) => cpu)),
    mem: digits(sum(({ memory }) => memory)),
    load: digits(served),
    error: digits(weighted(({ errors }) => errors)),
    latency: latency === null ? null : digits(latency / 1000),
    "latency-95": served > 0 ? digits(slowest / 1000) : null,
  };
}

function digits(value: number): number;
function digits(value: number | null): number | null;
function digits(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}
