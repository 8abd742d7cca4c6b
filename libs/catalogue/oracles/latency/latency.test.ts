import type { PingReading } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { judgeLatency, latencySymptom } from "./index.ts";

const reading = (received: number | null, rttMs: number | null = 1): PingReading => ({
  pod: "a",
  sent: received === null ? null : 33,
  received,
  rttMs,
  echoes: [],
});

test("no echoes, no pods and no baseline are failures", () => {
  expect(judgeLatency([], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(0, null)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(33)], undefined, 0).passed).toBe(false);
});

test("every replica counts", () => {
  expect(judgeLatency([reading(33, 1), reading(33, 1001)], 1, 0).passed).toBe(false);
});

test("999 ms are not near the baseline", () => {
  expect(judgeLatency([reading(33, 999)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(33, 90)], 1, 0).passed).toBe(true);
});

test("symptoms need numbers", () => {
  expect(latencySymptom([reading(33, 1000)], 1, 0).shows).toBe(true);
  expect(latencySymptom([reading(33, 1000)], undefined, 0).shows).toBe(false);
  expect(latencySymptom([reading(0, null)], 1, 0).shows).toBe(false);
});
