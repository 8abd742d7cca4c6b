import { LoadPattern } from "@microremed/contracts";
import { expect, test } from "vitest";
import { atPeak, loadCurve, meanLoad } from "./load-curve.ts";

const origin = 1_000_000;
const order = (pattern: object, seed = "a") => ({ pattern: LoadPattern.parse(pattern), seed, origin });
/** The factor at so many seconds from the origin. */
const at = (pattern: object, seconds: number, seed = "a"): number =>
  loadCurve(order(pattern, seed))(origin + seconds * 1000);

test("a constant load is so always, a step and a ramp from their time on", () => {
  expect([-500, 0, 500].map((s) => at({ shape: "constant", factor: 2 }, s))).toEqual([2, 2, 2]);
  expect([-61, -60, 900].map((s) => at({ shape: "step", factor: 3 }, s))).toEqual([1, 3, 3]);
  const ramp = { shape: "ramp", factor: 3, at: 10, seconds: 100 };
  expect([0, 10, 60, 110, 900].map((s) => at(ramp, s))).toEqual([1, 1, 2, 3, 3]);
});

test("each round has one burst of its share, at a time of the seed's own, before the origin too", () => {
  const bursts = { shape: "bursts", factor: 4, periodSeconds: 100, share: 0.3 };
  for (let round = -2; round < 5; round++) {
    const seconds = Array.from({ length: 100 }, (_, i) => round * 100 + i + 0.5);
    const high = seconds.filter((s) => at(bursts, s) === 4);
    expect(Math.abs(high.length - 30)).toBeLessThanOrEqual(1);
    expect((high.at(-1) ?? 0) - (high[0] ?? 0)).toBe(high.length - 1);
  }
  const starts = (seed: string) => Array.from({ length: 500 }, (_, s) => at(bursts, s, seed)).join();
  expect(starts("a")).toBe(starts("a"));
  expect(starts("a")).not.toBe(starts("b"));
});

test("a day goes from the usual rate to the factor and back", () => {
  const day = { shape: "diurnal", factor: 3, periodSeconds: 200 };
  const values = Array.from({ length: 200 }, (_, s) => at(day, s));
  expect(Math.min(...values)).toBeCloseTo(1, 2);
  expect(Math.max(...values)).toBeCloseTo(3, 2);
  expect(at(day, 12)).toBeCloseTo(at(day, 212));
  expect(meanLoad([order(day)], origin, origin + 200_000)).toBeCloseTo(2, 3);
});

test("the mean is that of the time between, of all orders together, and 1 without any", () => {
  const step = order({ shape: "step", factor: 3, at: 0 });
  expect(meanLoad([step], origin - 30_000, origin + 10_000)).toBeCloseTo(1.5, 6);
  expect(meanLoad([step, order({ shape: "constant", factor: 2 })], origin, origin + 1)).toBe(6);
  expect(meanLoad([], 0, 1)).toBe(1);
  const short = { ...order({ shape: "constant", factor: 5 }), until: origin + 10_000 };
  expect(meanLoad([short], origin, origin + 20_000)).toBeCloseTo(3, 6);
});

test("the highest of what falls is the usual rate, of what stays low its own", () => {
  expect(atPeak(LoadPattern.parse({ shape: "step", factor: 0.5 }))).toEqual({ shape: "constant", factor: 1 });
  expect(atPeak(LoadPattern.parse({ shape: "ramp", factor: 3 }))).toEqual({ shape: "constant", factor: 3 });
  expect(atPeak({ shape: "constant", factor: 0.5 })).toEqual({ shape: "constant", factor: 0.5 });
});
