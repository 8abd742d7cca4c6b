import { expect, test } from "vitest";
import { growthSymptom, judgeGrowth } from "./index.ts";

const mi = 2 ** 20;
const verdict = (perMinute: number | null, before: number | undefined = 0) =>
  judgeGrowth([{ pod: "cart-1", perMinute }], before, 0).passed;

test("memory that grows no faster than before is in order; a leak and a restart between are not", () => {
  expect([0, -50 * mi, 7 * mi].map((one) => verdict(one))).toEqual([true, true, true]);
  expect([verdict(9 * mi), verdict(60 * mi), verdict(null)]).toEqual([false, false, false]);
  expect([verdict(25 * mi, 20 * mi), verdict(29 * mi, 20 * mi)]).toEqual([true, false]);
  expect(judgeGrowth([{ pod: "cart-1", perMinute: 0 }], undefined, 0).passed).toBe(false);
  expect(judgeGrowth([], 0, 0).passed).toBe(false);
});

test("one replica of several that leaks is enough", () => {
  const growths = [0, 40 * mi].map((perMinute, i) => ({ pod: `cart-${i}`, perMinute }));
  expect(judgeGrowth(growths, 0, 0).reason).toContain("cart-1 grows by 40.0 MiB a minute");
  expect(growthSymptom(growths, 0, 0).shows).toBe(true);
  expect(growthSymptom(growths.slice(0, 1), 0, 0).shows).toBe(false);
  expect(growthSymptom([{ pod: "cart-1", perMinute: null }], 0, 0).shows).toBe(false);
});
