import { expect, test } from "vitest";
import type { CaseResult } from "./case.types.ts";
import { agreementTable, compareResults, differences } from "./compare.ts";

const result = (name: string, outcome: CaseResult["outcome"], reason?: string): CaseResult => ({
  area: "exec",
  name,
  outcome,
  ms: 1,
  ...(reason !== undefined && { reason }),
});

test("a case that fails on both agrees, one that was skipped on either does not count", () => {
  const real = [
    result("a", "passed"),
    result("b", "failed", "x"),
    result("c", "skipped"),
    result("d", "failed", "no such file\nat line 2"),
  ];
  const embedded = [
    result("a", "passed"),
    result("b", "failed", "y"),
    result("c", "passed"),
    result("d", "passed"),
  ];
  expect(Object.fromEntries(differences(real, embedded))).toEqual({
    "exec: a": false,
    "exec: b": false,
    "exec: c": undefined,
    "exec: d": true,
  });
  const agreement = compareResults(real, embedded);
  expect(agreement).toEqual({
    areas: [{ area: "exec", cases: 4, applicable: 3, agreed: 2 }],
    disagreements: [{ area: "exec", name: "d", passedOn: "embedded", reason: "no such file\nat line 2" }],
    failedOnBoth: ["exec: b"],
    notApplicable: 1,
  });
  const table = agreementTable(agreement);
  expect(table).toContain("| exec | 3 | 2 | 66.7 % |");
  expect(table).toContain("- exec: d: passed on the embedded cluster only. no such file");
  expect(table).not.toContain("line 2");
  expect(table).toContain("- exec: b: failed on both.");
});
