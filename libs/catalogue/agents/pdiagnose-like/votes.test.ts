import { expect, test } from "vitest";
import { errorLines, tailChance, votesOfLogs, votesOfMetrics, votesOfTraces, winners } from "./votes.ts";

test("a value far from all of the reference has a small chance, one amid it a large one", () => {
  const reference = [9, 10, 11];
  expect(tailChance(10, reference)).toBeCloseTo(0.5);
  // By hand: deviation 1 (a tenth of the mean, larger than 0.816), bandwidth 1.06 * 3 ** -0.2 = 0.851.
  expect(tailChance(13, reference)).toBeCloseTo((1.3e-6 + 2.1e-4 + 0.00937) / 3, 3);
  expect(tailChance(20, reference)).toBeLessThan(1e-9);
});

test("a metric that is out twice in a row votes once, a single burst does not", () => {
  const row = (name: string, ...values: (number | null)[]) => ({ name, values });
  const votes = votesOfMetrics([
    row("stays", 10, 10, 10, 10, 10, 10),
    row("jumps", 10, 10, null, 90, 90, 90),
    row("starts", 0, 0, 0, 1, 1, 1),
    row("once", 10, 10, 10, 10, 10, 90),
  ]);
  expect(votes.map(({ workload }) => workload)).toEqual(["jumps", "starts"]);
});

test("operations that got slower by themselves or fail vote, and calls for a callee without spans", () => {
  const votes = votesOfTraces(`9 traces of the last 30s, 8 of the 10s before; greatest change first
cart calls redis db: 539 ms itself, 0 % failed, 13 spans; before: 0.1 ms itself, 0 % failed, 9 spans
front calls cart: 90 ms itself, 0 % failed, 13 spans; before: 0.3 ms itself, 0 % failed, 9 spans
cart cart: 2.06 ms itself, 0 % failed, 13 spans; before: 2.05 ms itself, 0 % failed, 9 spans
pay POST /pay: 2 ms itself, 40 % failed, 5 spans; before: 2 ms itself, 0 % failed, 5 spans
new GET /: 700 ms itself, 0 % failed, 5 spans; before: none`);
  expect(votes.map(({ workload }) => workload)).toEqual(["db", "pay"]);
});

test("more error lines than expected vote, by the chance of a Poisson count", () => {
  const lines = errorLines(
    "deployment.apps/cart 4 4\ndeployment.apps/pay 3 3\nstatefulset.apps/db 20 30\nnoise",
  );
  expect(lines).toHaveLength(3);
  // Expected are 0.5, 0.5 and 10 * 30 / 10 = 30 lines.
  expect(votesOfLogs(lines, { since: 30, first: 10 }).map(({ workload }) => workload)).toEqual(["cart"]);
});

test("most votes win; with as many, more kinds of sources do", () => {
  const vote = (workload: string, source: "metrics" | "traces" | "logs") => ({ workload, source });
  expect(winners([])).toEqual([]);
  expect(
    winners([
      vote("a", "metrics"),
      vote("a", "metrics"),
      vote("b", "logs"),
      vote("b", "traces"),
      vote("c", "logs"),
    ]),
  ).toEqual(["b", "a", "c"]);
});
