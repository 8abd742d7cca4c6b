export { assertNode } from "./assert-node.ts";
export { backboneConfig } from "./backbone-config.ts";
export { boundedLabel } from "./bounded-label.ts";
export { type FollowedClusters, followClusters } from "./follow-clusters.ts";
export { type HealthServer, startHealthServer } from "./health-server.ts";
export { namingService } from "./lacking-entry.ts";
export { createLineWriter } from "./line-writer.ts";
export { createLogger, type LoggerOptions, type ServiceLogger } from "./logger.ts";
export { createMetrics, type Metrics, type Reading } from "./metrics.ts";
export { observeMessages } from "./observe-messages.ts";
export {
  type OpenService,
  openService,
  type ServiceContext,
  type ServiceDefinition,
} from "./open-service.ts";
export { parseConfig } from "./parse-config.ts";
export { runService } from "./run-service.ts";
export { type RequestHandlers, serveRequests } from "./serve-requests.ts";
export { type RunStage, type ServedStage, type ServeStageOptions, serveStage } from "./serve-stage.ts";
export { type StageHandlers, serveStages } from "./serve-stages.ts";
export { createServedShards, type ServedShards } from "./served-shards.ts";
export { type StageCommand, type StageContext, stageHandler } from "./stage-handler.ts";
export { noTracing, type OpenSpan, type PastSpan, type SpanAttributes, type Tracing } from "./tracing.ts";
export { tracingConfig } from "./tracing-config.ts";
