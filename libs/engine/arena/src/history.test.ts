import { expect, test } from "vitest";
import { onDrawnFraction } from "./history.ts";

test("a moment is put off by less than a second, to the same fraction whatever came before", () => {
  const origin = Date.parse("2026-01-01T00:00:00Z");
  const at = (ms: number, seed = "7/a") => onDrawnFraction(origin + ms, { seed }, "question");
  const moments = [0, 1, 66, 500, 723, 999, 1_000, 61_250].map((ms) => [ms, at(ms)] as const);
  for (const [ms, moment] of moments) {
    expect(moment - origin - ms).toBeGreaterThanOrEqual(0);
    expect(moment - origin - ms).toBeLessThan(1_000);
    expect(moment % 1_000).toBe(at(0) % 1_000);
  }
});

test("the fraction is another one for another problem, and for the question than for what came before", () => {
  const fractions = Array.from({ length: 50 }, (_, i) => onDrawnFraction(0, { seed: `7/${i}` }, "question"));
  expect(new Set(fractions).size).toBeGreaterThan(40);
  expect(fractions).not.toContain(1_000);
  expect(onDrawnFraction(0, { seed: "7/a" }, "history")).not.toBe(
    onDrawnFraction(0, { seed: "7/a" }, "question"),
  );
});
