import { expect, test } from "vitest";
import { isInconclusive } from "../oracle.ts";
import { lossPlan, type PingReading, parsePing } from "../ping.ts";
import { judgeLatency, latencySymptom } from "./latency.ts";
import { judgeLoss, lossSymptom } from "./loss.ts";

const reading = (received: number | null, rttMs: number | null = 1): PingReading => ({
  pod: "a",
  sent: received === null ? null : 33,
  received,
  rttMs,
  echoes: [],
});

test("reads busybox's and iputils' ping, echo by echo", () => {
  const busybox =
    "64 bytes from 10.0.0.1: seq=0 ttl=62 time=0.060 ms\n64 bytes from 10.0.0.1: seq=2 ttl=62 time=0.102 ms\n\n--- 10.0.0.1 ping statistics ---\n4 packets transmitted, 2 packets received, 50% packet loss\nround-trip min/avg/max = 0.060/0.081/0.102 ms\n";
  const iputils =
    "64 bytes from 10.0.0.1: icmp_seq=1 ttl=62 time=0.060 ms\n64 bytes from 10.0.0.1: icmp_seq=3 ttl=62 time=0.102 ms\n4 packets transmitted, 2 received, +2 errors, 50% packet loss, time 7800ms\nrtt min/avg/max/mdev = 0.060/0.081/0.102/0.010 ms\n";
  for (const output of [busybox, iputils])
    expect(parsePing(output)).toEqual({
      sent: 4,
      received: 2,
      rttMs: 0.081,
      echoes: [0.06, null, 0.102, null],
    });
  expect(parsePing("33 packets transmitted, 0 packets received, 100% packet loss")).toMatchObject({
    sent: 33,
    received: 0,
    rttMs: null,
  });
  expect(parsePing("ping: bad address")).toEqual({ sent: null, received: null, rttMs: null, echoes: [] });
});

test("a lucky round of three does not pass, nor does half of the echoes", () => {
  expect(judgeLoss([{ ...reading(3), sent: 3 }], 0).passed).toBe(false);
  expect(judgeLoss([reading(17)], 0).passed).toBe(false);
  expect(judgeLoss([reading(29)], 0).passed).toBe(false);
  expect(judgeLoss([reading(30)], 0).passed).toBe(true);
});

test("the sample bounds both errors", () => {
  expect(lossPlan).toMatchObject({ size: 33, mostBad: 3 });
  expect(lossPlan.missed).toBeLessThan(1e-6);
  expect(lossPlan.falseAlarm).toBeLessThan(1e-3);
});

test("no echoes, no pods and no baseline are failures", () => {
  expect(judgeLoss([reading(null, null)], 0).passed).toBe(false);
  expect(isInconclusive(judgeLoss([reading(null, null)], 0))).toBe(true);
  expect(judgeLoss([], 0).passed).toBe(false);
  expect(judgeLatency([], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(0, null)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(33)], undefined, 0).passed).toBe(false);
});

test("every replica counts", () => {
  expect(judgeLoss([reading(33), reading(15)], 0).passed).toBe(false);
  expect(judgeLatency([reading(33, 1), reading(33, 1001)], 1, 0).passed).toBe(false);
});

test("999 ms are not near the baseline", () => {
  expect(judgeLatency([reading(33, 999)], 1, 0).passed).toBe(false);
  expect(judgeLatency([reading(33, 90)], 1, 0).passed).toBe(true);
});

test("symptoms need numbers", () => {
  expect(lossSymptom([reading(15)], 0).passed).toBe(true);
  expect(lossSymptom([reading(31)], 0).passed).toBe(false);
  expect(lossSymptom([reading(null)], 0).passed).toBe(false);
  expect(latencySymptom([reading(33, 1000)], 1, 0).passed).toBe(true);
  expect(latencySymptom([reading(33, 1000)], undefined, 0).passed).toBe(false);
  expect(latencySymptom([reading(0, null)], 1, 0).passed).toBe(false);
});
