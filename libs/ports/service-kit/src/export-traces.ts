import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { keepContexts, parseTraceparent } from "@microremed/bus";
import { AppError, type Logger } from "@microremed/core";
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { OpenSpan, SpanAttributes, SpanOptions, Tracing } from "./tracing.ts";
import type { TracingConfig } from "./tracing-config.ts";

const kinds = {
  internal: SpanKind.INTERNAL,
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
/** A receiver that is away must not keep a service from ending, ms. */
const flushWithinMs = 2_000;
/** While it is away, one log line in so many ms. */
const complainEveryMs = 60_000;

/** Exports spans by OTLP over HTTP, in batches, from a queue that drops what does not fit. */
export function exportTraces(service: string, config: TracingConfig, log: Logger): Tracing {
  complainTo(log);
  keepContexts();
  const ids = createIds();
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": service,
          "service.namespace": "microremed",
          "service.instance.id": randomUUID(),
          "process.pid": process.pid,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(config),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: exporterOf(config),
        scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
        maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
        maxExportBatchSize: config.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
      }),
    ],
  });
  const tracer = provider.getTracer("microremed");
  log.info({ sampler: config.OTEL_TRACES_SAMPLER }, "traces are exported");
  return {
    on: true,
    within: async (name, options, work) => {
      const above = contextAbove(options.parent);
      const span = tracer.startSpan(
        name,
        { kind: kinds[options.kind ?? "internal"], attributes: attributesOf(options.attributes) },
        above,
      );
      try {
        return await context.with(trace.setSpan(above, span), () => work(openSpan(span)));
      } catch (thrown) {
        openSpan(span).fail(AppError.from(thrown).code);
        throw thrown;
      } finally {
        span.end();
      }
    },
    record: ({ name, traceparent, parent, startedAt, endedAt, errorCode, attributes }) => {
      // Small plain numbers would be taken for times since this process began.
      const options = { startTime: new Date(startedAt), attributes: attributesOf(attributes) };
      const start = (): Span => tracer.startSpan(name, options, contextAbove(parent));
      const span = ids.named(traceparent, start);
      if (errorCode !== undefined) openSpan(span).fail(errorCode);
      span.end(new Date(Math.max(startedAt, endedAt)));
    },
    [Symbol.asyncDispose]: async () => {
      const late = new AbortController();
      const flushed = provider.shutdown().catch(() => undefined);
      await Promise.race([
        flushed,
        delay(flushWithinMs, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
    },
  };
}

function contextAbove(parent: SpanOptions["parent"]): Context {
  if (parent === undefined) return context.active();
  const span = parseTraceparent(parent ?? undefined);
  return span ? trace.setSpanContext(ROOT_CONTEXT, span) : ROOT_CONTEXT;
}

function openSpan(span: Span): OpenSpan {
  return {
    set: (attributes) => span.setAttributes(attributesOf(attributes)),
    // The code alone: messages may quote what a model wrote.
    fail: (code) =>
      span.setStatus({ code: SpanStatusCode.ERROR, message: code }).setAttribute("error.type", code),
  };
}

function attributesOf(attributes: SpanAttributes = {}) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );
}

/** Random ids, except for spans whose ids others know already. */
function createIds(): IdGenerator & { named<T>(traceparent: string | undefined, start: () => T): T } {
  const random = new RandomIdGenerator();
  let next: ReturnType<typeof parseTraceparent>;
  return {
    generateTraceId: () => next?.traceId ?? random.generateTraceId(),
    generateSpanId: () => next?.spanId ?? random.generateSpanId(),
    named: (traceparent, start) => {
      next = parseTraceparent(traceparent);
      try {
        return start();
      } finally {
        next = undefined;
      }
    },
  };
}

function exporterOf(config: TracingConfig): JsonExporter | ProtobufExporter {
  const protocol = config.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? config.OTEL_EXPORTER_OTLP_PROTOCOL;
  const url = urlOf(config);
  // What is not given here, headers and time-outs among it, is read from the standard variables.
  const options = url === undefined ? {} : { url };
  return protocol === "http/json" ? new JsonExporter(options) : new ProtobufExporter(options);
}

function urlOf(config: TracingConfig): string | undefined {
  const base = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  const appended = base === undefined ? undefined : `${base.replace(/\/$/, "")}/v1/traces`;
  return config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? appended;
}

/**
 * An episode's trace has its ids from the scheduler before anybody has sampled it, so that "sampled" in a message says
 * nothing yet: a sampler decides by the trace's id, so all processes decide alike.
 */
function samplerOf(config: TracingConfig): Sampler {
  const name = config.OTEL_TRACES_SAMPLER;
  const sampler = plainSampler(name.replace("parentbased_", ""), config.OTEL_TRACES_SAMPLER_ARG);
  if (!name.startsWith("parentbased_")) return sampler;
  return new ParentBasedSampler({ root: sampler, remoteParentSampled: sampler });
}

function plainSampler(name: string, ratio: number): Sampler {
  if (name === "traceidratio") return new TraceIdRatioBasedSampler(ratio);
  return name === "always_off" ? new AlwaysOffSampler() : new AlwaysOnSampler();
}

/** What OpenTelemetry has to say, in the log of the service. */
function complainTo(log: Logger): void {
  let quietUntil = 0;
  const complain = (message: string): void => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + complainEveryMs;
    log.warn({ error: message.slice(0, 2_000) }, "traces cannot be exported");
  };
  const ignore = (): void => {};
  const logger = { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
