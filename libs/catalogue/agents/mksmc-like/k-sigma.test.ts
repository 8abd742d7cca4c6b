import type { Rng } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { isAnomalous, momentScores, monteCarloThreshold } from "./k-sigma.ts";

/** Draws 0, 1, 2, ... in turn. */
function counting(): Rng {
  let next = 0;
  const rng: Rng = {
    int: (below) => next++ % below,
    float: () => 0.5,
    pick: (items) => items[next++ % items.length] as never,
    fork: () => rng,
  };
  return rng;
}

/** Draws that are as good as random. */
function scattered(): Rng["int"] {
  let seed = 1;
  return (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
}

test("a moment's score is the root mean square of its metrics' deviations, ten at most", () => {
  // Mean 10, deviation 2; constant 0; constant 100 with a deviation of a tenth.
  const series = [
    [8, 12, 8, 12, 16],
    [0, 0, 0, 0, 5],
    [100, 100, 100, 100, 1e6],
  ];
  const scores = momentScores(series, 4);
  expect(scores.slice(0, 4)).toEqual(Array(4).fill(Math.sqrt(1 / 3)));
  expect(scores[4]).toBeCloseTo(Math.sqrt((3 ** 2 + 10 ** 2 + 10 ** 2) / 3));
  expect(momentScores([], 2)).toEqual([]);
});

test("the threshold is above what the reference's own moments can add up to, and is one at least", () => {
  const calm = [[5, 5, 5, 5, 9]];
  expect(monteCarloThreshold(calm, 4, counting())).toBe(1);
  // One of ten moments is out by three deviations in each metric: by chance both are at once.
  const spike = (at: number) => Array.from({ length: 10 }, (_, i) => (i === at ? 20 : 10));
  const threshold = monteCarloThreshold([spike(2), spike(7)], 10, { ...counting(), int: scattered() });
  expect(threshold).toBeCloseTo(3);
});

test.each([
  [[2, 2, 2], true],
  [[2, 2, 1, 2, 2], false],
  [[0, 2, 2, 2, 0], true],
  [[], false],
])("of %j three in a row make an anomaly", (scores, anomaly) => {
  expect(isAnomalous(scores, 1.5)).toBe(anomaly);
});
