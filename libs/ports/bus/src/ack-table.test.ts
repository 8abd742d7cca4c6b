import { AppError, retryable, terminal } from "@microremed/core";
import { expect, test } from "vitest";
import { decideAck, maxDeliveries } from "./ack-table.ts";

const threw = (error: AppError) => ({ kind: "threw", error }) as const;

test("acks what was handled and gives back at once what the service lets go of", () => {
  expect(decideAck({ kind: "returned" }, 1)).toEqual({ kind: "ack" });
  expect(decideAck({ kind: "released" }, 1)).toEqual({ kind: "nak", delayMs: 0 });
});

test("makes a dead letter of what cannot be read and what will fail again", () => {
  expect(decideAck({ kind: "unreadable", reason: "not JSON" }, 1)).toEqual({
    kind: "dead-letter",
    code: "invalid-message",
    reason: "not JSON",
  });
  expect(decideAck(threw(terminal("unknown-failure", "no such failure")), 1)).toMatchObject({
    kind: "dead-letter",
    code: "unknown-failure",
  });
});

test("retries a retryable error with growing delays, then makes a dead letter of it", () => {
  const error = threw(retryable("cluster-unreachable", "no answer"));
  const delays = [1, 2, 3, 7].map((delivery) => decideAck(error, delivery));
  expect(delays).toEqual([250, 500, 1000, 16_000].map((delayMs) => ({ kind: "nak", delayMs })));
  expect(decideAck(error, maxDeliveries)).toMatchObject({ kind: "dead-letter", code: "cluster-unreachable" });
  expect(decideAck(error, maxDeliveries + 5)).toMatchObject({ kind: "dead-letter" });
});

test("waits as long as the error asks", () => {
  const error = new AppError("model-overloaded", "later", { severity: "retryable", retryAfterMs: 7000 });
  expect(decideAck(threw(error), 1)).toEqual({ kind: "nak", delayMs: 7000 });
});
