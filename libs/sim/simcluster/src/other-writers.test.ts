import { createRng } from "@microremed/core";
import { expect, test } from "vitest";
import { createOtherWriters } from "./other-writers.ts";

/** What others write while something is written every second, for `seconds`. */
function written(seed: number, seconds: number): number {
  let time = 0;
  const others = createOtherWriters({ now: () => time, keep: (state) => state }, createRng(seed));
  let sum = 0;
  for (; time < seconds * 1000; time += 1000) sum += others();
  return sum;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

test("what others write varies by far more than what a fault writes, over seconds and over minutes", () => {
  for (const seconds of [10, 60, 300]) {
    const counts = Array.from({ length: 400 }, (_, seed) => written(seed, seconds));
    const deviation = Math.sqrt(mean(counts.map((one) => (one - mean(counts)) ** 2)));
    // Chaos Mesh's faults write 30 times at most until they are proven.
    expect({ seconds, isHidden: deviation > 30 * 5 }).toEqual({ seconds, isHidden: true });
    expect(counts.every((one) => Number.isSafeInteger(one) && one >= 0)).toBe(true);
  }
});

test("in no time others write now and then, and a few times at most", () => {
  const others = createOtherWriters({ now: () => 5, keep: (state) => state }, createRng(1));
  const counts = Array.from({ length: 2000 }, others);
  const share = (count: number): number => counts.filter((one) => one === count).length / counts.length;
  expect([share(0) > 0.4, share(1) > 0.15, share(2) > 0.05]).toEqual([true, true, true]);
  expect(Math.max(...counts)).toBeLessThan(24);
});
