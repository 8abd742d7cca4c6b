import { createHash } from "node:crypto";
import type { Reporter, Span, Trace } from "./trace.types.ts";

interface Tag {
  readonly key: string;
  readonly type: "string" | "bool" | "int64";
  readonly value: string | number | boolean;
}

const text = (key: string, value: string): Tag => ({ key, type: "string", value });

const errorTexts = {
  timeout: "context deadline exceeded",
  refused: "connect: connection refused",
  failed: "the request failed",
} as const;
const grpcCodes = { timeout: "DEADLINE_EXCEEDED", refused: "UNAVAILABLE", failed: "INTERNAL" } as const;

/** Ids are derived from the trace's, so they need not be stored. */
const spanId = (trace: Trace, index: number): string =>
  createHash("sha256").update(`${trace.id}/${index}`).digest("hex").slice(0, 16);

const micros = (ms: number): number => Math.round(1000 * ms);

/** `GET /cart`, or the name of what is called. */
export function operationOf({ kind, protocol, method = "GET", target }: Span): string {
  if (protocol === "http") return `${method} ${target}`;
  const isCall = protocol === "grpc" || protocol === "thrift";
  return isCall || kind !== "client" ? target : `${protocol} ${target}`;
}

/** The tags of a span, in OpenTelemetry's names as Jaeger shows them. */
export function tagsOf({ kind, protocol, method = "GET", target, address, error }: Span): readonly Tag[] {
  const tags = [text("span.kind", kind)];
  if (protocol === "http") {
    tags.push(text("http.request.method", method), text("url.path", target));
    const answered = error === undefined || error === "failed";
    if (answered) tags.push({ key: "http.response.status_code", type: "int64", value: error ? 500 : 200 });
  } else if (protocol === "grpc")
    tags.push(
      text("rpc.system.name", "grpc"),
      text("rpc.response.status_code", error ? grpcCodes[error] : "OK"),
    );
  else if (protocol === "thrift") tags.push(text("rpc.system.name", "apache_thrift"));
  else if (protocol === "amqp") tags.push(text("messaging.system", "rabbitmq"));
  else if (protocol === "kafka" || protocol === "nats") tags.push(text("messaging.system", protocol));
  else tags.push(text("db.system.name", protocol));
  if (address !== undefined) {
    const colon = address.lastIndexOf(":");
    const port: Tag = { key: "server.port", type: "int64", value: Number(address.slice(colon + 1)) };
    tags.push(text("server.address", address.slice(0, colon)), port);
  }
  if (error !== undefined) {
    tags.push({ key: "error", type: "bool", value: true }, text("otel.status_code", "ERROR"));
    tags.push(text("error.type", error === "failed" ? "500" : error));
  }
  return tags;
}

/** The tags of the program that reported a span. */
export function processTagsOf({ namespace, pod, node }: Reporter): readonly Tag[] {
  return [
    text("service.namespace", namespace),
    text("k8s.namespace.name", namespace),
    text("k8s.pod.name", pod),
    text("k8s.node.name", node),
  ];
}

const processOf = (reporter: Reporter): object => ({
  serviceName: reporter.service,
  tags: processTagsOf(reporter),
});

/** A trace as Jaeger's query service gives it. */
export function jaegerTrace(trace: Trace): object {
  const pods = [...new Map(trace.spans.map(({ reporter }) => [reporter.pod, reporter])).values()];
  const processes = Object.fromEntries(pods.map((each, index) => [`p${index + 1}`, processOf(each)]));
  const spans = trace.spans.map((span, index) => ({
    traceID: trace.id,
    spanID: spanId(trace, index),
    flags: 1,
    operationName: operationOf(span),
    references:
      span.parent === undefined
        ? []
        : [{ refType: "CHILD_OF", traceID: trace.id, spanID: spanId(trace, span.parent) }],
    startTime: micros(span.start),
    duration: micros(span.end - span.start),
    tags: tagsOf(span),
    logs: span.error === undefined ? [] : [logOf(span, span.error)],
    processID: `p${pods.findIndex(({ pod }) => pod === span.reporter.pod) + 1}`,
    warnings: null,
  }));
  return { traceID: trace.id, spans, processes, warnings: null };
}

function logOf({ end }: Span, error: keyof typeof errorTexts): object {
  const fields = [text("event", "exception"), text("exception.message", errorTexts[error])];
  return { timestamp: micros(end), fields };
}
