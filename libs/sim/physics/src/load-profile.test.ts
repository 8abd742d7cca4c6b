import type { LoadSpec } from "@microremed/environments";
import { expect, test } from "vitest";
import { createLoadProfile } from "./load-profile.ts";

const day = Date.parse("2026-01-01T00:00:00Z");
const load = (rest: Partial<LoadSpec>): LoadSpec => ({
  entry: "frontend:80",
  path: "/",
  requestsPerSecond: 10,
  ...rest,
});

test("a steady load stays what it is", () => {
  expect(createLoadProfile(1)(load({}), "a", day)).toBe(1);
});

test("a diurnal load peaks at its configured time and is lowest half a day later", () => {
  const diurnal = { amplitude: 0.6, periodSeconds: 86_400, peakAtSeconds: 50_400 };
  const at = (hour: number): number => createLoadProfile(1)(load({ diurnal }), "a", day + hour * 3_600_000);
  expect(at(14)).toBeCloseTo(1.6);
  expect(at(2)).toBeCloseTo(0.4);
  expect(at(8)).toBeCloseTo(1);
});

test("bursts come once in every stretch, at the seed's own moments", () => {
  const bursts = { everySeconds: 600, durationSeconds: 30, factor: 5 };
  const course = (seed: number): readonly number[] => {
    const profile = createLoadProfile(seed);
    return Array.from({ length: 1800 }, (_, second) => profile(load({ bursts }), "a", day + second * 1000));
  };
  const first = course(1);
  expect(first.filter((factor) => factor === 5).length).toBeGreaterThanOrEqual(87);
  expect(first.filter((factor) => factor === 5).length).toBeLessThanOrEqual(93);
  expect(new Set(first)).toEqual(new Set([1, 5]));
  expect(course(1)).toEqual(first);
  expect(course(2)).not.toEqual(first);
});
