import { expect, test } from "vitest";
import { cutAt, exceeds, percentile95, percentile95Of, plus } from "./latency.ts";
import { waitForServer } from "./queueing.ts";

test("latencies add up, and a call made now and then adds no fixed time", () => {
  expect(plus({ fixed: 5, mean: 7 }, { fixed: 10, mean: 20 }, 2)).toEqual({ fixed: 25, mean: 47 });
  expect(plus({ fixed: 5, mean: 7 }, { fixed: 10, mean: 20 }, 0.5)).toEqual({ fixed: 5, mean: 17 });
});

test("a deadline below the fixed part is always missed, one above by the exponential's tail", () => {
  const latency = { fixed: 100, mean: 200 };
  expect(exceeds(latency, 50)).toBe(1);
  expect(exceeds(latency, 200)).toBeCloseTo(Math.exp(-1));
  expect(exceeds({ fixed: 100, mean: 100 }, 150)).toBe(0);
  expect(exceeds({ fixed: Number.POSITIVE_INFINITY, mean: Number.POSITIVE_INFINITY }, 1e6)).toBe(1);
  expect(cutAt(latency, 50)).toEqual({ fixed: 50, mean: 50 });
  expect(cutAt(latency, 1e6).mean).toBeCloseTo(200);
  expect(percentile95(latency)).toBeCloseTo(399.6, 0);
});

test("a percentile of several kinds of requests is that of all of them, not the mean of theirs", () => {
  const [quick, slow] = [
    { fixed: 10, mean: 20 },
    { fixed: 100, mean: 200 },
  ];
  const of = (...counts: number[]) =>
    percentile95Of(counts.map((count, place) => ({ count, latency: place === 0 ? quick : slow })));
  expect(of(1)).toBeCloseTo(percentile95(quick));
  // Of 1 in 101 that is slow, the slowest 5 % are almost all quick ones.
  expect(of(100, 1)).toBeLessThan(50);
  const half = of(1, 1);
  expect((exceeds(quick, half) + exceeds(slow, half)) / 2).toBeCloseTo(0.05);
  expect(percentile95Of([{ count: 1, latency: { fixed: 7, mean: 7 } }])).toBe(7);
});

test("with one server the wait is M/M/1's, and it grows without bound as the load nears 1", () => {
  const { chance, ms } = waitForServer(1, 0.5, 10);
  expect(chance * ms).toBeCloseTo(10);
  const mean = (load: number) => waitForServer(4, load, 10).chance * waitForServer(4, load, 10).ms;
  expect(mean(0.9)).toBeGreaterThan(3 * mean(0.7));
});
