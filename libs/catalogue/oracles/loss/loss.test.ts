import { isInconclusive, lossPlan, type PingReading } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { judgeLoss, lossSymptom } from "./index.ts";

const reading = (received: number | null, rttMs: number | null = 1): PingReading => ({
  pod: "a",
  sent: received === null ? null : 33,
  received,
  rttMs,
  echoes: [],
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
});

test("every replica counts", () => {
  expect(judgeLoss([reading(33), reading(15)], 0).passed).toBe(false);
});

test("symptoms need numbers", () => {
  expect(lossSymptom([reading(15)], 0).shows).toBe(true);
  expect(lossSymptom([reading(31)], 0).shows).toBe(false);
  expect(lossSymptom([reading(null)], 0).shows).toBe(false);
});
