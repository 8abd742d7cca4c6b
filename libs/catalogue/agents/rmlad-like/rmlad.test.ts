import type { Rng } from "@microremed/catalogue";
import { expect, test } from "vitest";
import { association, ranked } from "./correlate.ts";
import { anomalySeries, readLines } from "./log-anomaly.ts";
import { createTemplates } from "./templates.ts";

/** Keeps every moment as it is: nothing is dropped, and no value changed. */
const still: Rng = { int: () => 0, float: () => 0.5, pick: (items) => items[0] as never, fork: () => still };

test("lines that differ in numbers alone have one template, others their own", () => {
  const templates = createTemplates();
  const first = templates("request completed in 2.4 ms (2.8 requests/s)");
  expect(templates("request completed in 1002.4 ms (2.8 requests/s)")).toBe(first);
  expect(templates("slow response from redis-cart: 1000 ms")).not.toBe(first);
  // Three of five tokens alike are enough, one of five is not.
  const user = templates("user anna logged in now");
  expect(templates("user anna went out now")).toBe(user);
  expect(templates("user anna ate some cake")).toBe(user);
  expect(templates("no user ever came back")).not.toBe(user);
});

test("kubectl's lines are read, and the anomaly is one minus the cosine with the reference", () => {
  const lines = readLines(
    ["00", "10", "20"].map((s) => `2026-01-01T00:00:${s}.000000000Z request done`).join("\n") +
      "\nno stamp\n2026-01-01T00:00:20.000000000Z slow answer from db\n2026-01-01T00:00:30.000000000Z slow answer from db",
  );
  expect(lines).toHaveLength(5);
  const series = anomalySeries(lines, createTemplates(), [0, 10, 20, 30, 40]);
  expect(series.slice(0, 2)).toEqual([0, 0]);
  // Weights: ln(6/4) + 1 of the usual line, ln(6/3) + 1 of the slow one; the reference has the usual line alone.
  const [usual, slow] = [Math.log(6 / 4) + 1, Math.log(6 / 3) + 1];
  expect(series[2]).toBeCloseTo(1 - usual / Math.hypot(usual, slow));
  expect(series[3]).toBeCloseTo(1);
  expect(series[4]).toBe(0);
});

test("a metric that follows the logs, even later or downwards, ranks before one that does not", () => {
  const anomaly = [0, 0, 0, 0.2, 0.5, 0.9, 0.8, 0.7];
  const series = [
    { name: "front", values: [3, 1, 2, 3, 1, 2, 3, 1] },
    { name: "cart", values: [1, 1, 1, 5, 9, 30, 20, 15] },
    { name: "db", values: [7, 7, 7, 7, 7, 7, 7, 7] },
  ];
  expect(association(anomaly, series[1]?.values ?? [], still)).toBeCloseTo(1);
  expect(
    association(
      anomaly,
      anomaly.map((value) => -value),
      still,
    ),
  ).toBeCloseTo(1);
  expect(ranked(anomaly, series, still)).toEqual(["cart", "front"]);
  expect(ranked([0, 0, 0, 0, 0, 0, 0, 0], series, still)).toEqual([]);
});

test("too few moments correlate with nothing", () => {
  expect(association([0, 1, 2], [0, 1, 2], still)).toBe(0);
});
