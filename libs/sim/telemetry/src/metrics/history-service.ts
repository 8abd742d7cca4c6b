import type { NewObject } from "@microremed/sim-objects";
import { jaegerNamespace } from "../traces/jaeger-service.ts";
import type { MetricsHistory } from "./metrics-history.ts";
import { valueNames } from "./step-values.ts";

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
 * Answers a query for a stretch of a namespace's history: `namespace`, `from`, `to` (cluster time, ms), `step` (ms) and
 * `of`, `pod` or `workload`. Undefined for a path that it does not have; the status is 400 for what is none of these.
 */
export function askHistory(
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  history: MetricsHistory,
  now: number,
): { readonly status: number; readonly body: object } | undefined {
  if (path !== "/api/v1/series") return undefined;
  const [to, step] = [Number(query.get("to") ?? now), Number(query.get("step") ?? 15_000)];
  const from = Number(query.get("from") ?? to - 600_000);
  const of = query.get("of") ?? "pod";
  const isValid = [from, to].every(Number.isFinite) && step >= 1000 && (to - from) / step <= maxSteps;
  if (!isValid || (of !== "pod" && of !== "workload")) {
    const error = "from, to and step are numbers, ms, and of is pod or workload";
    return { status: 400, body: { error, names: valueNames } };
  }
  const steps = { from, to: Math.min(to, now), stepMs: step };
  const range = history.range(query.get("namespace") ?? "", steps, of);
  return { status: 200, body: { now, ...range } };
}
