import { setTimeout as delay } from "node:timers/promises";
import { trace } from "@opentelemetry/api";
import { expect, test } from "vitest";
import {
  currentTraceparent,
  formatTraceparent,
  keepContexts,
  messageContext,
  parseTraceparent,
  withinContext,
} from "./trace.ts";

const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

test("reads a traceparent as it writes one, and takes a broken one for none", () => {
  const span = parseTraceparent(traceparent);
  expect(span).toEqual({
    traceId: "a".repeat(32),
    spanId: "b".repeat(16),
    traceFlags: 1,
    isRemote: true,
  });
  expect(span && formatTraceparent(span)).toBe(traceparent);
  const broken = [undefined, "", "rubbish", `00-${"0".repeat(32)}-${"b".repeat(16)}-01`, `${traceparent}-x`];
  expect(broken.map(parseTraceparent)).toEqual(broken.map(() => undefined));
});

test("a message without a trace begins one of its own", () => {
  const ids = [1, 2].map(() => trace.getSpanContext(messageContext("rubbish"))?.traceId);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
});

test("what is sent while a message is handled belongs to its trace, over awaits too, and nothing else does", async () => {
  keepContexts();
  const seen = await withinContext(messageContext(traceparent), async () => {
    await delay(1);
    return currentTraceparent();
  });
  expect(seen).toBe(traceparent);
  expect(currentTraceparent()).toBeUndefined();
});
