import type { NewObject } from "@microremed/sim-objects";
import { jaegerNamespace } from "../traces/jaeger-service.ts";
import { type MetricsHistory, measured } from "./metrics-history.ts";

/** Name of the Service of the history of metrics, beside Jaeger's behind the API server's proxy. */
export const historyService = "metrics-history";

/** Port of the same. */
export const historyPort = 9090;

/** The Service of the history of metrics, of all namespaces; it has no pods. */
export const historyServiceObject: NewObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: historyService,
    namespace: jaegerNamespace,
    labels: { "app.kubernetes.io/name": historyService },
  },
  spec: { ports: [{ name: "http", port: historyPort, targetPort: historyPort }] },
};

/** Steps of one answer at most, as Prometheus limits them. */
const maxSteps = 11_000;

/**
 * Answers a query for a stretch of a namespace's history: `namespace`, `from`, `to` (cluster time, ms) and `step` (ms).
 * Undefined for a path that it does not have; the status is 400 for numbers that are none.
 */
export function askHistory(
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  history: MetricsHistory,
  now: number,
): { readonly status: number; readonly body: object } | undefined {
  if (path !== "/api/v1/series") return undefined;
  const [to, step] = [Number(query.get("to") ?? now), Number(query.get("step") ?? 15_000)];
  const from = Number(query.get("from") ?? to - 600_000);
  const isValid = [from, to].every(Number.isFinite) && step >= 1000 && (to - from) / step <= maxSteps;
  if (!isValid) return { status: 400, body: { error: "from, to and step are numbers, ms", names: measured } };
  const range = history.range(query.get("namespace") ?? "", from, Math.min(to, now), step);
  return { status: 200, body: { now, ...range } };
}
