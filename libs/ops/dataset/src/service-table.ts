import type { TelemetryWindow, WorkloadMetrics } from "@microremed/telemetry";

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
  "latency-95": "95th percentile of the same, of all its pods' requests together, s",
} as const;
type Column = keyof typeof serviceColumns;

/**
 * The metrics of a window by service, as RCAEval reads them: `time` (s since the epoch) and `<service>_<metric>`. A service
 * without a pod uses nothing and serves nothing; one that served no request in a step has no latency there, an empty cell.
 */
export function serviceTable({ at, workloads = [] }: TelemetryWindow): ServiceTable {
  const sorted = workloads.toSorted((a, b) => (a.workload < b.workload ? -1 : 1));
  const columns = sorted.flatMap(({ workload, values }) => {
    const steps = at.map((_, step) => ofService(values, step));
    const named = (Object.keys(serviceColumns) as Column[]).map((column) => ({
      name: `${workload}_${column}`,
      values: steps.map((found) => found[column]),
    }));
    return named.filter(({ values: found }) => found.some((value) => value !== null));
  });
  return {
    header: ["time", ...columns.map(({ name }) => name)],
    rows: at.map((time, step) => [
      Math.floor(time / 1000),
      ...columns.map(({ values }) => values[step] ?? null),
    ]),
  };
}

function ofService(
  { cpu, memory, requests, errors, latency, latency_p95 }: WorkloadMetrics["values"],
  step: number,
): Record<Column, number | null> {
  const seconds = (values: readonly (number | null)[]): number | null => {
    const ms = values[step] ?? null;
    return ms === null ? null : Number((ms / 1000).toPrecision(6));
  };
  return {
    cpu: cpu[step] ?? 0,
    mem: memory[step] ?? 0,
    load: requests[step] ?? 0,
    error: errors[step] ?? null,
    latency: seconds(latency),
    "latency-95": seconds(latency_p95),
  };
}
