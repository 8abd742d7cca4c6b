import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";

/** A W3C trace context: https://www.w3.org/TR/trace-context/ */
export interface Trace {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
}

const current = new AsyncLocalStorage<Trace>();
const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** A new span in the trace that a `traceparent` header names, or in a new trace. */
export function continueTrace(traceparent: string | undefined): Trace {
  const traceId = pattern.exec(traceparent ?? "")?.[1] ?? randomBytes(16).toString("hex");
  return { traceId, spanId: randomBytes(8).toString("hex") };
}

/** A `traceparent` whose trace id a name decides: everything of one episode is one trace. */
export function traceparentOf(name: string): string {
  const traceId = createHash("sha256").update(name).digest("hex").slice(0, 32);
  return traceparent({ traceId, spanId: randomBytes(8).toString("hex") });
}

export function traceparent(trace: Trace): string {
  return `00-${trace.traceId}-${trace.spanId}-01`;
}

/** Runs `work`; what it publishes continues the trace. */
export function withinTrace<T>(trace: Trace, work: () => T): T {
  return current.run(trace, work);
}

/** The `traceparent` for a message published here and now. */
export function currentTraceparent(): string {
  return traceparent(current.getStore() ?? continueTrace(undefined));
}
