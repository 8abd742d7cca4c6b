export { type Collector, createCollector, type Stretch } from "./collect.ts";
export { type Level, levelOf } from "./level-of.ts";
export { spanId } from "./otlp-files.ts";
export { packTelemetry, type StoredTelemetry, telemetryFile, unpackTelemetry } from "./stored-telemetry.ts";
export {
  type LogLine,
  type PodMetrics,
  TelemetryWindow,
  type WindowTrace,
  type WorkloadMetrics,
} from "./window.ts";
