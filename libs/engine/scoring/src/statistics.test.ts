import { expect, test } from "vitest";
import { bootstrapMean } from "./bootstrap.ts";
import { mcnemarExact } from "./mcnemar.ts";
import { passAtK, passHatK } from "./pass-hat-k.ts";

test.each([
  // R: binom.test(b, b + c)$p.value
  [0, 0, 1],
  [0, 5, 0.0625],
  [1, 8, 0.0390625],
  [8, 1, 0.0390625],
  [5, 15, 0.04138947],
  [10, 10, 1],
  [40, 60, 0.05688793],
  [2, 12, 0.01293945],
  [0, 2000, 0],
])("McNemar's exact test of %i against %i discordant pairs gives %f", (onlyA, onlyB, p) => {
  expect(mcnemarExact(onlyA, onlyB)).toBeCloseTo(p, 7);
});

test("the bootstrap estimates the standard error of a mean as published", () => {
  // Efron & Tibshirani 1993, table 2.1: survival of treated and of control mice; plug-in errors 23.36 and 13.72 (of
  // 25.24 and 14.14 with the unbiased variance).
  const treated = [94, 197, 16, 38, 99, 141, 23].map((days) => [days]);
  const control = [52, 104, 146, 10, 51, 30, 40, 27, 46].map((days) => [days]);
  expect(bootstrapMean(treated, 1)?.error).toBeGreaterThan(22.5);
  expect(bootstrapMean(treated, 1)?.error).toBeLessThan(24.2);
  expect(bootstrapMean(control, 1)?.error).toBeGreaterThan(12.7);
  expect(bootstrapMean(control, 1)?.error).toBeLessThan(13.8);
});

test("a bootstrap interval is the seed's, holds a constant exactly, and draws cases as wholes", () => {
  const values = [[1], [2], [3], [9]];
  expect(bootstrapMean(values, 1)).toEqual(bootstrapMean(values, 1));
  expect(bootstrapMean(values, 1)).not.toEqual(bootstrapMean(values, 2));
  expect(bootstrapMean([[4], [4], [4]], 1)).toMatchObject({ low: 4, high: 4, error: 0 });
  expect(bootstrapMean([[4, 4, 5]], 1)).toBeUndefined();
  // Ten equal runs of a case say no more than one.
  const once = [[0], [1], [0], [1], [1], [0], [1], [0]];
  const often = once.map(([value = 0]) => Array<number>(10).fill(value));
  expect(bootstrapMean(often, 1)).toEqual(bootstrapMean(once, 1));
});

test("a bootstrap interval of normal data agrees with the normal interval", () => {
  // Quantiles of the standard normal at (i - 0.5) / 40, so that mean and deviation are known: R qnorm(ppoints(40)).
  const half = [
    0.03133798, 0.09413741, 0.15731068, 0.2211187, 0.28584087, 0.35178434, 0.4192957, 0.48877641, 0.56070303,
    0.63565701, 0.71436744, 0.79777685, 0.88714656, 0.98423496, 1.09162042, 1.21333963, 1.35631175,
    1.53412054, 1.78046434, 2.24140273,
  ];
  const groups = half.flatMap((value) => [[value], [-value]]);
  const interval = bootstrapMean(groups, 7);
  expect(interval?.high).toBeGreaterThan(0.26);
  expect(interval?.high).toBeLessThan(0.34);
  expect(interval?.low).toBeLessThan(-0.26);
  expect(interval?.low).toBeGreaterThan(-0.34);
});

const runs = (caseId: string, outcomes: string) =>
  [...outcomes].map((letter) => ({
    caseId,
    model: "m",
    method: "X",
    passed: letter === "+",
  }));

test("pass^k is the mean over cases of C(successes, k) / C(runs, k)", () => {
  // Case a: 3 of 4; case b: 4 of 4; case c: 1 of 4.
  const judged = [...runs("a", "+++-"), ...runs("b", "++++"), ...runs("c", "+---")];
  const values = passHatK(judged);
  expect(values.map(({ k }) => k)).toEqual([1, 2, 3, 4]);
  expect(values[0]?.value).toBeCloseTo((3 / 4 + 1 + 1 / 4) / 3);
  expect(values[1]?.value).toBeCloseTo((3 / 6 + 1 + 0) / 3);
  expect(values[2]?.value).toBeCloseTo((1 / 4 + 1 + 0) / 3);
  expect(values[3]?.value).toBeCloseTo(1 / 3);
  expect(passHatK([])).toEqual([]);
});

test("pass@k is the mean over cases of 1 - C(failures, k) / C(runs, k)", () => {
  const judged = [...runs("a", "+++-"), ...runs("b", "----"), ...runs("c", "+---")];
  const values = passAtK(judged).map(({ value }) => value);
  expect(values[0]).toBeCloseTo((3 / 4 + 0 + 1 / 4) / 3);
  expect(values[1]).toBeCloseTo((1 + 0 + (1 - 3 / 6)) / 3);
  expect(values[3]).toBeCloseTo(2 / 3);
  expect(passAtK([])).toEqual([]);
});

test("a case that ran less often counts for no longer series", () => {
  const judged = [...runs("a", "++"), ...runs("b", "-")];
  expect(passHatK(judged)).toEqual([
    { k: 1, value: 0.5 },
    { k: 2, value: 1 },
  ]);
});
