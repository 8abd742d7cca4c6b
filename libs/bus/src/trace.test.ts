import { expect, test } from "vitest";
import { continueTrace, currentTraceparent, traceparent, traceparentOf, withinTrace } from "./trace.ts";

test("continues a trace with a new span and starts one where there is none or a broken one", () => {
  const trace = continueTrace(`00-${"a".repeat(32)}-${"b".repeat(16)}-01`);
  expect(trace.traceId).toBe("a".repeat(32));
  expect(trace.spanId).not.toBe("b".repeat(16));
  expect(continueTrace("rubbish").traceId).toMatch(/^[0-9a-f]{32}$/);
});

test("what is published while a message is handled belongs to its trace", async () => {
  const trace = continueTrace(undefined);
  const seen = await withinTrace(trace, async () => currentTraceparent());
  expect(seen).toBe(traceparent(trace));
  expect(currentTraceparent()).not.toContain(trace.traceId);
});

test("one name, one trace", () => {
  expect(traceparentOf("e.0001").slice(0, 35)).toBe(traceparentOf("e.0001").slice(0, 35));
});
