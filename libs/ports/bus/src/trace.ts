import { randomBytes } from "node:crypto";
import {
  type Context,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The span that a W3C `traceparent` (https://www.w3.org/TR/trace-context/) names; `undefined`: none, or a broken one. */
export function parseTraceparent(text: string | undefined): SpanContext | undefined {
  const [, traceId = "", spanId = "", flags = "0"] = pattern.exec(text ?? "") ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const named = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(named) ? named : undefined;
}

/** A span as a W3C `traceparent`, version 00. `parseTraceparent` reads it. */
export function formatTraceparent(span: Pick<SpanContext, "traceId" | "spanId" | "traceFlags">): string {
  return `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;
}

/** The context in which a message is handled: it continues the sender's trace, or begins one. */
export function messageContext(traceparent: string | undefined): Context {
  return trace.setSpanContext(ROOT_CONTEXT, parseTraceparent(traceparent) ?? beginning());
}

function beginning(): SpanContext {
  const [traceId, spanId] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
}

/** Runs `work`; what it publishes and logs continues the context's trace. */
export function withinContext<T>(of: Context, work: () => T): T {
  return context.with(of, work);
}

/** The `traceparent` for a message sent here and now; `undefined` when nothing is being handled. */
export function currentTraceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  return span && isSpanContextValid(span) ? formatTraceparent(span) : undefined;
}

/** The headers by which a message that is stored first, and sent later or by others, goes on in this trace. */
export function traceHeaders(): Record<string, string> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

let kept = false;

/** Has contexts last over every `await` of this process, from now on. */
export function keepContexts(): void {
  if (kept) return;
  kept = true;
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}
