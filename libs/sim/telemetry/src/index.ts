export { createLogBook } from "./logs/log-book.ts";
export { startLogWriter } from "./logs/log-writer.ts";
export { cadvisorText } from "./metrics/cadvisor.ts";
export { expositionType } from "./metrics/exposition.ts";
export { askHistory, historyPort, historyService, historyServiceObject } from "./metrics/history-service.ts";
export { type MetricsHistory, startMetricsHistory } from "./metrics/metrics-history.ts";
export { startMetricsServer } from "./metrics/metrics-server.ts";
export { createRequestMetrics, exporterPort, type RequestMetrics } from "./metrics/request-metrics.ts";
export { resourceMetricsText } from "./metrics/resource-metrics.ts";
export { askJaeger } from "./traces/jaeger-query.ts";
export {
  jaegerNamespace,
  jaegerNamespaceObject,
  jaegerPort,
  jaegerService,
  jaegerServiceObject,
} from "./traces/jaeger-service.ts";
export { createTraceRecorder, type TraceRecorder } from "./traces/trace-recorder.ts";
