import type { ExpositionSample } from "./exposition.ts";

/** What one side of an edge has counted since its program started. Cumulative, as Prometheus' histograms are. */
export interface EdgeCounts {
  readonly ok: number;
  readonly failed: number;
  /** Upper bound in ms -> requests without an error that took no longer. */
  readonly within: ReadonlyMap<number, number>;
}

/** Histograms of OpenTelemetry's semantic conventions in their Prometheus spelling, after which side they measure. */
const serverHistogram = /^(?:http_server_request|rpc_server_call)_duration_seconds_(?:bucket|count)$/;
const clientHistogram =
  /^(?:http_client_request|rpc_client_call|db_client_operation|messaging_client_operation)_duration_seconds_(?:bucket|count)$/;

/** A host as programs of its namespace may call it: a Service has several names. */
const shortHost = (host: string): string => host.replace(/\.[a-z0-9-]+\.svc(\.cluster\.local)?$/, "");

/** The counts of an edge that had no request. */
export const noCounts: EdgeCounts = { ok: 0, failed: 0, within: new Map() };

/**
 * Whether a Prometheus sample counts requests: a bucket or the count of an HTTP, RPC, database or messaging
 * histogram.
 */
export const isRequestMetric = (name: string): boolean =>
  serverHistogram.test(name) || clientHistogram.test(name);

/** Edge -> counts, from the metrics of one program of `workload`; `error_type` marks a failure. */
export function edgeCountsOf(
  workload: string,
  samples: readonly ExpositionSample[],
): Map<string, EdgeCounts> {
  const edges = new Map<string, { ok: number; failed: number; within: Map<number, number> }>();
  for (const { name, labels, value } of samples) {
    if (!isRequestMetric(name)) continue;
    const edge = serverHistogram.test(name)
      ? workload
      : `${workload} -> ${shortHost(labels["server_address"] ?? "?")}:${labels["server_port"] ?? "?"}`;
    const counts = edges.get(edge) ?? { ok: 0, failed: 0, within: new Map<number, number>() };
    edges.set(edge, counts);
    const failed = (labels["error_type"] ?? "") !== "";
    if (name.endsWith("_count")) {
      if (failed) counts.failed += value;
      else counts.ok += value;
    } else if (!failed && labels["le"] !== undefined && labels["le"] !== "+Inf") {
      const boundMs = Math.round(Number(labels["le"]) * 1000);
      counts.within.set(boundMs, (counts.within.get(boundMs) ?? 0) + value);
    }
  }
  return edges;
}

/** The sum of two counts with the same buckets, e.g. of two replicas. */
export function addCounts(a: EdgeCounts, b: EdgeCounts): EdgeCounts {
  const within = new Map(a.within);
  for (const [bound, count] of b.within) within.set(bound, (within.get(bound) ?? 0) + count);
  return { ok: a.ok + b.ok, failed: a.failed + b.failed, within };
}

/** What was counted between two readings of one program; one that restarted in between counts from zero. */
export function countsBetween(before: EdgeCounts | undefined, after: EdgeCounts): EdgeCounts {
  if (!before || after.ok < before.ok || after.failed < before.failed) return after;
  const within = new Map([...after.within].map(([at, count]) => [at, count - (before.within.get(at) ?? 0)]));
  return { ok: after.ok - before.ok, failed: after.failed - before.failed, within };
}

/** Smallest bucket bound, ms, that covers the share of the requests without an error; infinite: none does. */
export function quantileBound({ ok, within }: EdgeCounts, share: number): number {
  const bounds = [...within].filter(([, count]) => count >= share * ok).map(([bound]) => bound);
  return Math.min(Number.POSITIVE_INFINITY, ...bounds);
}
