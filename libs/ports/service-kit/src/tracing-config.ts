import { z } from "zod";

const protocols = z.enum(["http/protobuf", "http/json"]);
const milliseconds = z.coerce.number().int().min(1).max(3_600_000);
const spans = z.coerce.number().int().min(1).max(1_000_000);

/**
 * OpenTelemetry's standard environment variables, as far as this package reads them itself: headers, time-outs,
 * compression and certificates of the exporter, and the attributes of the resource, are read by OpenTelemetry's own.
 */
export const tracingConfig = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: "OTLP/HTTP receiver; setting it turns tracing on",
      examples: ["http://127.0.0.1:4318"],
    }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description: "the same for traces only, including the path",
      examples: ["http://127.0.0.1:4318/v1/traces"],
    }),
  OTEL_TRACES_EXPORTER: z
    .enum(["otlp", "none"])
    .optional()
    .meta({
      description: "none: tracing is off; otlp: tracing is on, by default to http://localhost:4318",
      examples: ["otlp"],
    }),
  OTEL_SDK_DISABLED: z
    .string()
    .default("false")
    .transform((value) => value.toLowerCase() === "true")
    .meta({ description: "true: tracing is off", examples: ["true"] }),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocols
    .default("http/protobuf")
    .meta({ description: "encoding of spans; gRPC is not supported", examples: ["http/protobuf"] }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocols
    .optional()
    .meta({ description: "the same for traces only", examples: ["http/json"] }),
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on")
    .meta({
      description: "sampler that decides which traces to keep",
      examples: ["parentbased_traceidratio"],
    }),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .meta({ description: "share of traces that a ratio sampler keeps", examples: ["0.1"] }),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds
    .default(5_000)
    .meta({ description: "delay between two exports, ms", examples: ["5000"] }),
  OTEL_BSP_MAX_QUEUE_SIZE: spans
    .default(2_048)
    .meta({ description: "maximum queued spans; further ones are dropped", examples: ["2048"] }),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: spans
    .default(512)
    .meta({ description: "maximum spans per export", examples: ["512"] }),
} as const;

export type TracingConfig = z.output<z.ZodObject<typeof tracingConfig>>;

/** Whether these variables ask for traces. */
export function wantsTraces(config: TracingConfig): boolean {
  const { OTEL_TRACES_EXPORTER: exporter } = config;
  if (config.OTEL_SDK_DISABLED || exporter === "none") return false;
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  return exporter === "otlp" || endpoint !== undefined;
}
