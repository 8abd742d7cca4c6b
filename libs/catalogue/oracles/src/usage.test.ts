import {
  cpuMeter,
  isInconclusive,
  judgeUsage,
  memoryMeter,
  type UsageReading,
  usageOf,
  usageSymptom,
} from "@microremed/catalogue";
import { expect, test } from "vitest";
import { aPod, aTarget, containersWith } from "./testing/a-target.ts";

const baseline = { cpuUsageCores: 0.02, cpuLimitCores: 0.3, cpuRequestCores: 0.2 };
const strict = { baseline, resourcesMayDiffer: false };
const judge = (...readings: UsageReading[]) => judgeUsage(cpuMeter, readings, strict, 0);

test("passes near the baseline", () => {
  expect(judge({ pod: "a", usage: 0.05, limit: 0.3 }).passed).toBe(true);
});

test.each<[string, UsageReading, RegExp]>([
  ["the limit is removed", { pod: "a", usage: 0.02, limit: null }, /no cpu limit any more/],
  ["the limit is lowered", { pod: "a", usage: 0.02, limit: 0.1 }, /limit of 0.1, below 0.3/],
  ["the limit is raised and the load still there", { pod: "a", usage: 0.3, limit: 4 }, /uses 0.3 cores/],
  ["the container is saturated", { pod: "a", usage: 0.29, limit: 0.3 }, /uses 0.29/],
  ["there is no sample", { pod: "a", usage: null, limit: 0.3 }, /no fresh cpu sample/],
])("fails when %s", (_what, reading, reason) => {
  const verdict = judge(reading);
  expect(verdict.passed).toBe(false);
  expect(verdict.reason).toMatch(reason);
});

test("one bad replica among good ones fails", () => {
  expect(judge({ pod: "a", usage: 0.02, limit: 0.3 }, { pod: "b", usage: 0.3, limit: 0.3 }).passed).toBe(
    false,
  );
});

test("nothing to measure is not good news", () => {
  expect(judge().passed).toBe(false);
  expect(
    judgeUsage(cpuMeter, [{ pod: "a", usage: 0, limit: 1 }], { ...strict, baseline: {} }, 0).passed,
  ).toBe(false);
  expect(isInconclusive(judge({ pod: "a", usage: null, limit: 0.3 }))).toBe(true);
});

test("a baseline near half of the limit can still be returned to", () => {
  const busy = { baseline: { cpuUsageCores: 0.16, cpuLimitCores: 0.3 }, resourcesMayDiffer: false };
  expect(judgeUsage(cpuMeter, [{ pod: "a", usage: 0.17, limit: 0.3 }], busy, 0).passed).toBe(true);
  expect(judgeUsage(cpuMeter, [{ pod: "a", usage: 0.3, limit: 0.3 }], busy, 0).passed).toBe(false);
});

test("where the fault is in the limits, other limits pass if they suffice", () => {
  const free = { baseline, resourcesMayDiffer: true };
  expect(judgeUsage(cpuMeter, [{ pod: "a", usage: 0.02, limit: 0.2 }], free, 0).passed).toBe(true);
  expect(judgeUsage(cpuMeter, [{ pod: "a", usage: 0.002, limit: 0.002 }], free, 0).passed).toBe(false);
});

test("where there was no limit none is needed, and one that is there must suffice", () => {
  const free = { baseline: { memoryUsageBytes: 100 * 2 ** 20 }, resourcesMayDiffer: true };
  const of = (usage: number, limit: number | null) =>
    judgeUsage(memoryMeter, [{ pod: "a", usage: usage * 2 ** 20, limit: limit && limit * 2 ** 20 }], free, 0)
      .passed;
  expect([of(110, null), of(110, 400), of(110, 150), of(700, null)]).toEqual([true, true, false, false]);
});

test("samples from before do not count, nor those of pods that are gone", () => {
  const sample = {
    pod: "cartservice-1",
    container: "server",
    windowMs: 15_000,
    cpuCores: 0.01,
    memoryBytes: 5,
  };
  const usage = (at: number, pod = sample.pod) =>
    usageOf(cpuMeter, aTarget(), [{ ...sample, pod, at }], 1000).map((one) => one.usage);
  expect(usage(2000)).toEqual([0.01]);
  expect(usage(1000)).toEqual([null]);
  expect(usage(2000, "cartservice-0")).toEqual([null]);
});

test("reads the limit of each pod, not of the template", () => {
  const pods = [aPod({ containers: containersWith({ resources: {} }) })];
  expect(usageOf(memoryMeter, aTarget({ pods }), [], 0)).toEqual([
    { pod: "cartservice-1", usage: null, limit: null },
  ]);
});

test("the symptom needs a fresh sample well above the baseline", () => {
  const shows = (usage: number | null) =>
    usageSymptom(cpuMeter, [{ pod: "a", usage, limit: 0.3 }], baseline, 0).shows;
  expect([shows(0.3), shows(0.09), shows(null)]).toEqual([true, false, false]);
  expect(usageSymptom(cpuMeter, [{ pod: "a", usage: 1, limit: 1 }], {}, 0).shows).toBe(false);
});

test("1280 MiB of stress shows under a limit of 16 GiB too", () => {
  const before = { memoryUsageBytes: 50 * 2 ** 20, memoryLimitBytes: 16 * 2 ** 30 };
  const reading = { pod: "a", usage: 1330 * 2 ** 20, limit: 16 * 2 ** 30 };
  expect(usageSymptom(memoryMeter, [reading], before, 0).shows).toBe(true);
  expect(judgeUsage(memoryMeter, [reading], { baseline: before, resourcesMayDiffer: false }, 0).passed).toBe(
    false,
  );
});
