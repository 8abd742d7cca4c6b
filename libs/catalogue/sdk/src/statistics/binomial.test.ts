import { expect, test } from "vitest";
import { atLeast, atMost, poissonAtMost, smallestSample } from "./binomial.ts";

test("tails of the binomial agree with counting", () => {
  expect(atMost(3, 0.5, 0)).toBeCloseTo(1 / 8, 12);
  expect(atMost(40, 0.5, 2)).toBeCloseTo((1 + 40 + 780) / 2 ** 40, 18);
  expect(atLeast(3, 0.5, 2)).toBeCloseTo(1 / 2, 12);
  expect(atLeast(10, 0, 1)).toBe(0);
  expect(atMost(10, 1, 9)).toBe(0);
  expect(poissonAtMost(2, 1)).toBeCloseTo(3 * Math.exp(-2), 12);
});

test("the tail of a Poisson distribution with a large mean is not lost", () => {
  expect(poissonAtMost(0, 0)).toBe(1);
  expect(poissonAtMost(0, 3)).toBe(1);
  expect(poissonAtMost(1155, 1155)).toBeCloseTo(0.5078, 3);
  expect(poissonAtMost(1155, 2248)).toBeCloseTo(1, 9);
  expect(poissonAtMost(1155, 900)).toBeLessThan(1e-3);
});

test("the sample that distinguishes 50 % loss from 1 % is the smallest one that keeps both bounds", () => {
  const demand = { badRate: 0.5, cleanRate: 0.01, mostMissed: 1e-6, mostFalseAlarms: 1e-3 };
  const plan = smallestSample(demand);
  expect(plan).toMatchObject({ size: 33, mostBad: 3 });
  expect(plan.missed).toBeLessThan(1e-6);
  expect(plan.falseAlarm).toBeLessThan(1e-3);
  // (1 + 33 + 528 + 5456) / 2^33: counted by hand.
  expect(plan.missed).toBeCloseTo(6018 / 2 ** 33, 15);
  expect(atMost(32, 0.5, 3)).toBeGreaterThan(1e-6);
  expect(atLeast(32, 0.01, 3)).toBeGreaterThan(1e-3);
});

test("asking for the impossible is refused", () => {
  const demand = { badRate: 0.011, cleanRate: 0.01, mostMissed: 1e-6, mostFalseAlarms: 1e-3 };
  expect(() => smallestSample(demand)).toThrow(/no sample/);
});
