import { expect, test } from "vitest";
import { fairLevel, quotaOf, weightedShares, weightOf, workSeconds } from "./cpu.ts";

test("a quota below 10 millicores is enforced as 10", () => {
  expect(quotaOf(0.002)).toBe(0.01);
  expect(quotaOf(0.5)).toBe(0.5);
  expect(quotaOf(undefined)).toBe(Number.POSITIVE_INFINITY);
});

test("tasks share a quota max-min fairly: who wants little gets it, the others split the rest", () => {
  expect(fairLevel(1, [0.2, 0.3])).toBe(Number.POSITIVE_INFINITY);
  expect(fairLevel(0.2, Array(11).fill(1))).toBeCloseTo(0.2 / 11);
  expect(fairLevel(1, [0.1, 5, 5])).toBeCloseTo(0.45);
});

test("a request becomes a weight of cgroup v2, and none the smallest", () => {
  expect([0, 0.001, 0.1, 1, 11.5].map(weightOf)).toEqual([1, 1, 4, 39, 450]);
});

test("a full node is shared by the requests' weights", () => {
  expect(weightedShares(5, [10, 0.5, 10], [1, 1, 3])).toEqual(
    [1.125, 0.5, 3.375].map((share) => expect.closeTo(share)),
  );
});

test("work runs at full speed within its quota, in periods beyond it, and at its share among others", () => {
  expect(workSeconds(0.005, 0.2, false)).toBe(0.005);
  expect(workSeconds(0.05, 0.2, false)).toBeCloseTo(0.21);
  expect(workSeconds(0.005, 0.01, false)).toBeCloseTo(0.5);
  expect(workSeconds(0.005, 0.2 / 12, true)).toBeCloseTo(0.3);
});
