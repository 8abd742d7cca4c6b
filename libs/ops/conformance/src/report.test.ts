import { expect, test } from "vitest";
import type { CaseResult } from "./case.types.ts";
import { areaTable, caseTable, summaryOf } from "./report.ts";

const results: CaseResult[] = [
  { area: "get", name: "yaml", outcome: "passed", ms: 12 },
  { area: "chaos", name: "cpu", outcome: "skipped", reason: "no Chaos Mesh", ms: 0 },
  { area: "get", name: "json", outcome: "failed", reason: "expected a\nwas b", ms: 7 },
];

test("counts outcomes, by area and in all", () => {
  expect(summaryOf(results)).toBe("3 cases: 1 passed, 1 failed, 1 skipped");
  expect(areaTable(results).split("\n").slice(2)).toEqual([
    "| get | 2 | 1 | 1 | 0 |",
    "| chaos | 1 | 0 | 0 | 1 |",
    "| **all** | 3 | 1 | 1 | 1 |",
  ]);
});

test("says what went wrong below its case", () => {
  expect(caseTable(results.slice(2))).toBe(
    "failed   get        7 ms  json\n           expected a\n           was b",
  );
});

test("says so when a case needed more than one try", () => {
  expect(caseTable([{ area: "get", name: "yaml", outcome: "passed", ms: 12, attempt: 2 }])).toBe(
    "passed   get       12 ms  yaml (try 2)",
  );
});
