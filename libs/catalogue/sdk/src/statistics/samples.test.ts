import { expect, test } from "vitest";
import { deviationOf, meanOf, poissonTail, quantileOf, rankCorrelation } from "./samples.ts";

test("mean, deviation and quantiles are those of the textbook", () => {
  const values = [2, 4, 4, 4, 5, 5, 7, 9];
  expect(meanOf(values)).toBe(5);
  expect(deviationOf(values)).toBe(2);
  expect([0, 0.5, 0.75, 1].map((share) => quantileOf(values, share))).toEqual([2, 4, 5, 9]);
  expect([meanOf([]), deviationOf([]), quantileOf([], 0.5)]).toEqual([0, 0, undefined]);
});

test("ranks correlate whatever the scale, ties share a rank, and what never changes does not correlate", () => {
  expect(rankCorrelation([1, 2, 3, 4], [1, 10, 100, 1000])).toBeCloseTo(1);
  expect(rankCorrelation([1, 2, 3, 4], [9, 8, 7, 6])).toBeCloseTo(-1);
  // Ranks 1, 2.5, 2.5, 4 and 1, 3, 2, 4: by hand 4.5 / sqrt(4.5 * 5).
  expect(rankCorrelation([1, 2, 2, 3], [1, 3, 2, 4])).toBeCloseTo(4.5 / Math.sqrt(4.5 * 5));
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBe(0);
});

test.each([
  [0, 1, 1],
  [1, 1, 1 - Math.exp(-1)],
  [3, 1, 1 - Math.exp(-1) * 2.5],
  [1, 0, 0],
])("a Poisson count of %d or more with mean %d has the chance %d", (count, mean, chance) => {
  expect(poissonTail(count, mean)).toBeCloseTo(chance);
});
