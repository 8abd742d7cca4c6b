import type { Logger } from "@microremed/core";
import { trace } from "@opentelemetry/api";
import { type DestinationStream, pino } from "pino";
import { createLineWriter } from "./line-writer.ts";

/** A logger that can keep secrets out of its lines. */
export interface ServiceLogger extends Logger {
  /** From now on this text appears in no log line. Short texts are ignored: hiding them would garble every line. */
  hide(secret: string | undefined): void;
}

/** The service that each log line names, and the least level that is written. */
export interface LoggerOptions {
  readonly service: string;
  readonly level: "debug" | "info" | "warn" | "error";
  /** Default: stdout. */
  readonly destination?: DestinationStream;
}

const secretName =
  /(^|_|-)(password|pass|secret|token|api_?key|authorization|kubeconfig)$|[a-z](Password|Secret|Token|ApiKey|Kubeconfig)$/i;
const hidden = "[hidden]";
/** Characters: hiding shorter texts would garble every line. */
const shortestSecret = 6;
/** Levels of nested fields that are searched. */
const deepest = 6;

/** JSON lines on stdout, each with the trace that it was written in, and with secrets replaced both by the name of their field and by their value. */
export function createLogger(options: LoggerOptions): ServiceLogger {
  const secrets = new Set<string>();
  const scrub = (line: string): string => {
    let clean = line;
    for (const secret of secrets) clean = clean.replaceAll(secret, hidden);
    return clean;
  };
  const log = pino(
    {
      level: options.level,
      base: { service: options.service, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceFields,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withoutSecrets(fields, deepest) as Record<string, unknown>,
      },
      hooks: { streamWrite: scrub },
    },
    options.destination ?? stdout(),
  );
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    hide: (secret) => {
      if (secret === undefined || secret.length < shortestSecret) return;
      secrets.add(secret);
      // Its forms inside a JSON string and inside a URL.
      secrets.add(JSON.stringify(secret).slice(1, -1));
      secrets.add(encodeURIComponent(secret));
    },
  };
}

function stdout(): DestinationStream {
  const lines = createLineWriter(1);
  process.on("exit", () => lines.flush());
  return lines;
}

/** A span that is not recorded is nowhere to be found; the trace still joins the lines of all services. */
function traceFields(): Record<string, string> {
  const span = trace.getActiveSpan();
  if (!span) return {};
  const { traceId, spanId } = span.spanContext();
  return span.isRecording() ? { trace_id: traceId, span_id: spanId } : { trace_id: traceId };
}

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === 0) return value;
  if (value instanceof Error) return { message: value.message, stack: value.stack };
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      secretName.test(name) ? hidden : withoutSecrets(field, depth - 1),
    ]),
  );
}
