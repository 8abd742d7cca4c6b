import { readFileSync } from "node:fs";
import { defaultTask, tasksOf } from "@microremed/contracts";
import { expect, test } from "vitest";
import { compareGroups } from "./compare.ts";
import { groupsOf } from "./group.ts";
import { readReport } from "./read-report.ts";
import { renderComparison } from "./render-comparison.ts";

test("a report that 0.1.0 wrote is read and compared", () => {
  const file = new URL("./testdata/v0.1.0/report.json", import.meta.url);
  const report = readReport(JSON.parse(readFileSync(file, "utf8")));
  expect(tasksOf(report.request)).toEqual([defaultTask]);
  const groups = groupsOf(report.episodes);
  expect(groups.map(({ model, summary }) => [model, summary.remediated, summary.controls.of])).toEqual([
    ["reference/runbook", 3, 1],
    ["reference/noop", 0, 1],
  ]);
  const [a, b] = groups;
  if (!a || !b) throw new Error("the report has two models");
  const comparison = compareGroups({ report, group: a }, { report, group: b }, 1);
  expect(comparison).toMatchObject({ pairs: 3, onlyA: 3, onlyB: 0 });
  expect(renderComparison(comparison)).toContain(
    "reference/runbook (rule-based), ThinkRemed on simple-micro",
  );
});
