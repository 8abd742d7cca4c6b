import { expect, test } from "vitest";
import { createCallGate, type RateLimiter } from "./call-gate.ts";

/** A limiter that answers in order; what it was asked. */
function aLimiter(blocked: readonly number[], reserve = 0, failing = false) {
  const asked: unknown[] = [];
  const left = [...blocked];
  const limiter: RateLimiter = {
    blockedFor: async (model) => {
      asked.push(["blocked", model]);
      return { ms: left.shift() ?? 0, failing };
    },
    reserve: async (...what) => {
      asked.push(["reserve", ...what]);
      return reserve;
    },
    settle: async (...what) => void asked.push(["settle", ...what]),
    fail: async (...what) => void asked.push(["fail", ...what]),
  };
  return { limiter, asked };
}

const limits = { requestsPerMinute: 60 };

test("waits for a short pause and for its turn, and checks again before it goes", async () => {
  const { limiter, asked } = aLimiter([30, 0, 20], 40);
  const { allMs, failingMs } = await createCallGate(limiter, "m", limits).enter(7, 0);
  expect(allMs).toBeGreaterThanOrEqual(85);
  expect(failingMs).toBe(0);
  expect(asked).toEqual([
    ["blocked", "m"],
    ["blocked", "m"],
    ["reserve", "m", limits, 7],
    ["blocked", "m"],
    ["blocked", "m"],
  ]);
});

test.each([
  ["a provider that asks for a long pause", aLimiter([60_000]), 60_000],
  ["a queue that is too long", aLimiter([], 3_600_000), 3_600_000],
])("%s leaves the turn to a later delivery", async (_name, { limiter }, retryAfterMs) => {
  await expect(createCallGate(limiter, "m", limits).enter(7, 5_000)).rejects.toMatchObject({
    code: "model-overloaded",
    severity: "retryable",
    retryAfterMs,
  });
});

test("a failing provider is waited for within the call's limit", async () => {
  const gate = createCallGate(aLimiter([20, 40], 0, true).limiter, "m", limits);
  expect(await gate.enter(7, 60)).toMatchObject({ failingMs: 60 });
  const shortCalls = createCallGate(aLimiter([20, 41], 0, true).limiter, "m", limits);
  await expect(shortCalls.enter(7, 60)).rejects.toMatchObject({
    code: "model-overloaded",
    severity: "terminal",
  });
});

test("a shutdown ends the wait", async () => {
  const { limiter } = aLimiter([], 60_000);
  const controller = new AbortController();
  const waiting = createCallGate(limiter, "m", limits).enter(7, 5_000, controller.signal);
  controller.abort(new Error("shutting down"));
  await expect(waiting).rejects.toThrow();
});

test("what came of a call is passed on", async () => {
  const { limiter, asked } = aLimiter([]);
  const gate = createCallGate(limiter, "m", limits);
  await gate.answered(-5);
  await gate.failed(1_000);
  expect(asked).toEqual([
    ["settle", "m", limits, -5],
    ["fail", "m", 1_000],
  ]);
});
