import { defaultTask, ExperimentRequest, type ExperimentRequestInput } from "@microremed/contracts";
import { expect, test } from "vitest";
import { type ComparedReport, compareGroups } from "./compare.ts";
import type { EpisodeRow } from "./episode-row.ts";
import { readReport } from "./read-report.ts";
import { renderComparison, renderComparisons } from "./render-comparison.ts";
import { misfits } from "./testing/misfits.ts";

function aRow(number: number, change: Partial<EpisodeRow> = {}): EpisodeRow {
  return {
    id: `e.${number}`,
    index: number,
    model: "m",
    method: "ThinkRemed",
    task: defaultTask,
    score: null,
    caseId: `1/${number}/cpu-stress/cart`,
    repeat: 1,
    failure: "cpu-stress",
    problem: null,
    target: "cart",
    incident: [{ failure: "cpu-stress", target: "cart" }],
    outcome: "remediated",
    reason: null,
    attempts: 1,
    modelSeconds: 2,
    clusterSeconds: 40,
    machinerySeconds: 8,
    seconds: 10,
    remediationSeconds: 8,
    microremed: true,
    clean: null,
    damage: 0,
    collateral: 0,
    recoverySeconds: 30,
    tokens: 100,
    cost: null,
    estimatedTokens: 90,
    probes: 0,
    trials: 1,
    redraws: 0,
    cluster: "c",
    errorCode: null,
    earlierTrials: 0,
    given: true,
    tasks: [],
    settings: null,
    ...change,
  };
}

function aReport(
  experimentId: string,
  episodes: EpisodeRow[],
  change: Partial<ExperimentRequestInput> = {},
): ComparedReport {
  return {
    experimentId,
    harnessVersion: "1.2.3",
    range: "processes",
    episodes,
    request: ExperimentRequest.parse({ environment: "shop", model: "m", ...change }),
  };
}

const group = { model: "m", method: "ThinkRemed", task: defaultTask };
const numbers = Array.from({ length: 20 }, (_, i) => i);
const failedIn = (bad: readonly number[]) => (number: number) =>
  aRow(number, { outcome: bad.includes(number) ? "not-remediated" : "remediated", tokens: 100 + number });

test("pairs the runs of the same case and tests who repaired more", () => {
  const a = aReport("a", numbers.map(failedIn([0, 1, 2, 3, 4, 5, 6, 7, 8])));
  const b = aReport("b", numbers.map(failedIn([8, 9])));
  const comparison = compareGroups({ report: a, group }, { report: b, group }, 1);
  expect(comparison).toMatchObject({ pairs: 20, both: 10, onlyA: 1, onlyB: 8, neither: 1 });
  expect(comparison.p).toBeCloseTo(0.0390625);
  expect(comparison.success).toMatchObject({ a: 11 / 20, b: 18 / 20 });
  expect(comparison.success?.interval?.low).toBeGreaterThan(0);
  expect(comparison.measures.find(({ name }) => name === "tokens")).toMatchObject({ difference: 0 });
  expect(comparison.measures.map(({ name }) => name)).not.toContain("US$");
  expect(comparison.warnings).toEqual([]);
});

test("controls and runs without a verdict are in no pair, and the latter are reported", () => {
  const a = aReport("a", [aRow(0), aRow(1), aRow(2, { failure: "none", caseId: "1/2/none/cart" })]);
  const b = aReport("b", [aRow(0), aRow(1, { outcome: "injection-failed" })]);
  const comparison = compareGroups({ report: a, group }, { report: b, group }, 1);
  expect(comparison.pairs).toBe(1);
  expect(comparison.warnings).toEqual([
    "1 of 2 runs of A have no counterpart with a verdict: 1/1/cpu-stress/cart run 1 (remediated)",
    "1 of 2 runs of B have no counterpart with a verdict: 1/1/cpu-stress/cart run 1 (injection-failed)",
  ]);
});

test("runs that a side has ended with errors are compared, too: as failures", () => {
  const a = aReport("a", numbers.map(failedIn([0, 1, 2, 3, 4, 5, 6, 7])));
  const declining = numbers.map((number) =>
    aRow(number, number < 8 ? { outcome: "harness-error" } : number === 8 ? { earlierTrials: 1 } : {}),
  );
  const sides = [
    { report: a, group },
    { report: aReport("b", declining), group },
  ] as const;
  const comparison = compareGroups(...sides, 1);
  expect(comparison).toMatchObject({ pairs: 12, success: { a: 1, b: 1 } });
  expect(comparison.withErrors).toMatchObject({ pairs: 20, p: 1, success: { a: 12 / 20, b: 11 / 20 } });
  expect(renderComparison(comparison)).toMatch(/success with errors as failures +60 % +55 %/);
  expect(renderComparisons([comparison, comparison])).toMatch(/errors as failures .* 20 +60 % +55 %/);
  expect(compareGroups(sides[0], sides[0], 1).withErrors).toBeNull();
});

test("repeats are paired run by run", () => {
  const twice = (outcome: EpisodeRow["outcome"]) => [aRow(0), aRow(0, { repeat: 2, outcome })];
  const [a, b] = [aReport("a", twice("remediated")), aReport("b", twice("not-remediated"))];
  const comparison = compareGroups({ report: a, group }, { report: b, group }, 1);
  expect(comparison).toMatchObject({ pairs: 2, both: 1, onlyA: 1, onlyB: 0 });
  expect(comparison.b.summary.passHat).toEqual([
    { k: 1, value: 0.5 },
    { k: 2, value: 0 },
  ]);
});

test("warns when the cases or the settings differ", () => {
  const a = aReport("a", [aRow(0)]);
  const b = aReport("b", [aRow(0, { caseId: "2/0/cpu-stress/ads" })], { seed: 2, feedback: "none" });
  const { warnings, p, success } = compareGroups({ report: a, group }, { report: b, group }, 1);
  expect(warnings.join("\n")).toMatch(/seed differs: 1 and 2\nfeedback differs: oracle and none/);
  const later = compareGroups({ report: a, group }, { report: { ...a, harnessVersion: "2.0.0" }, group }, 1);
  expect(later.warnings).toEqual(["MicroRemed differs: 1.2.3 and 2.0.0"]);
  // The number of calls follows from the model.
  const expert = { report: aReport("c", [aRow(0, { model: "reference/expert" })]) };
  const calls = compareGroups(
    { report: a, group },
    { ...expert, group: { ...group, model: "reference/expert" } },
    1,
  );
  expect(calls.warnings).toEqual(["maxProbes differs: 12 and 100"]);
  expect(warnings.at(-1)).toBe("no runs can be paired, so there is nothing to compare");
  expect({ p, success }).toEqual({ p: 1, success: null });
});

test("reads what it is compared with from a file, and prints a table", () => {
  const file = JSON.parse(JSON.stringify({ ...aReport("a", numbers.map(failedIn([1]))), more: "fields" }));
  const report = readReport(file);
  const text = renderComparison(compareGroups({ report, group }, { report, group }, 1));
  expect(text).toContain("20 pairs");
  expect(text).toMatch(/success +95 % +95 % +0 % +\[0, 0\] +1\.0000/);
  expect(text).toMatch(/tokens +109 +110|tokens +110 +110/);
  expect(() => readReport({ episodes: [] })).toThrow();
});

test("several comparisons are a table for each task", () => {
  const at = (task: string) => {
    const rows = (bad: readonly number[]) => numbers.map((number) => ({ ...failedIn(bad)(number), task }));
    const own = { ...group, task };
    return compareGroups(
      { report: aReport("a", rows([])), group: own },
      { report: aReport("b", rows(numbers)), group: own },
      1,
    );
  };
  const text = renderComparisons([at("detection"), at("analysis")]);
  expect(text).toMatch(/Task detection[\s\S]*20 +100 % +0 % +-100 %[\s\S]*Task analysis[\s\S]*-100 %/);
});

test("a comparison fits 80 columns with long names, warnings included", () => {
  const long = {
    model: "openrouter/anthropic/claude-sonnet-4.5-20250929:thinking",
    method: "ThinkRemedWithRetrieval",
  };
  const rows = numbers.map((number) => aRow(number, { ...long, tokens: 1_234_567 + number, cost: 12.25 }));
  const report = aReport("an-experiment-with-a-name-of-its-own-2026-11-22", rows);
  const other = { ...report, harnessVersion: "2.0.0" };
  const chosen = { ...group, ...long };
  const comparison = compareGroups({ report, group: chosen }, { report: other, group: chosen }, 1);
  expect(comparison.warnings).toHaveLength(1);
  expect(misfits(renderComparison(comparison, 80), [["1234577", "1234577", "12.3", "12.3"]], 80)).toEqual([]);
});
