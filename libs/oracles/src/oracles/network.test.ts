import { expect, test } from "vitest";
import { isInconclusive } from "../oracle.ts";
import { type PingReading, parsePing } from "../ping.ts";
import { judgeLatency, latencySymptom } from "./latency.ts";
import { judgeLoss, lossSymptom } from "./loss.ts";

const reading = (received: number | null, rttMs: number | null = 1): PingReading => ({
  pod: "a",
  sent: received === null ? null : 40,
  received,
  rttMs,
});

test("reads busybox's and iputils' summaries", () => {
  const busybox =
    "--- 10.0.0.1 ping statistics ---\n40 packets transmitted, 38 packets received, 5% packet loss\nround-trip min/avg/max = 0.060/0.081/0.102 ms\n";
  const iputils =
    "40 packets transmitted, 38 received, +2 errors, 5% packet loss, time 7800ms\nrtt min/avg/max/mdev = 0.060/0.081/0.102/0.010 ms\n";
  for (const output of [busybox, iputils])
    expect(parsePing(output)).toEqual({ sent: 40, received: 38, rttMs: 0.081 });
  expect(parsePing("40 packets transmitted, 0 packets received, 100% packet loss")).toEqual({
    sent: 40,
    received: 0,
    rttMs: null,
  });
  expect(parsePing("ping: bad address")).toEqual({ sent: null, received: null, rttMs: null });
});

test("a lucky round of three does not pass, nor does half of forty", () => {
  expect(judgeLoss([{ pod: "a", sent: 3, received: 3, rttMs: 1 }], 0).passed).toBe(false);
  expect(judgeLoss([reading(20)], 0).passed).toBe(false);
  expect(judgeLoss([reading(37)], 0).passed).toBe(false);
  expect(judgeLoss([reading(38)], 0).passed).toBe(true);
});

test("the chance of passing under 50 % loss is below 1e-9", () => {
  expect((1 + 40 + (40 * 39) / 2) / 2 ** 40).toBeLessThan(1e-9);
});

test("no echoes, no pods and no baseline are failures", () => {
  expect(judgeLoss([reading(null, null)], 0).passed).toBe(false);
  expect(isInconclusive(judgeLoss([reading(null, null)], 0))).toBe(true);
  expect(judgeLoss([], 0).passed).toBe(false);
  expect(judgeLatency([], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(0, null)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(40)], undefined, 0).passed).toBe(false);
});

test("every replica counts", () => {
  expect(judgeLoss([reading(40), reading(15)], 0).passed).toBe(false);
  expect(judgeLatency([reading(40, 1), reading(40, 1001)], 1, 0).passed).toBe(false);
});

test("999 ms are not near the baseline", () => {
  expect(judgeLatency([reading(40, 999)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(40, 90)], 1, 0).passed).toBe(true);
});

test("symptoms need numbers", () => {
  expect(lossSymptom([reading(22)], 0).passed).toBe(true);
  expect(lossSymptom([reading(38)], 0).passed).toBe(false);
  expect(lossSymptom([reading(null)], 0).passed).toBe(false);
  expect(latencySymptom([reading(40, 1000)], 1, 0).passed).toBe(true);
  expect(latencySymptom([reading(40, 1000)], undefined, 0).passed).toBe(false);
  expect(latencySymptom([reading(0, null)], 1, 0).passed).toBe(false);
});
