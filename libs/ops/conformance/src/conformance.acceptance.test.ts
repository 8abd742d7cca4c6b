import { expect, test } from "vitest";
import { knownGaps } from "./known-gaps.ts";
import { caseTable } from "./report.ts";
import { embeddedResults } from "./testing/embedded-results.ts";

test("the embedded cluster passes every case but the known gaps", async () => {
  const results = await embeddedResults();
  const isKnown = ({ area, name }: { readonly area: string; readonly name: string }): boolean =>
    knownGaps.has(`${area}: ${name}`);
  const bad = results.filter((result) => (result.outcome === "passed") === isKnown(result));
  expect(caseTable(bad)).toBe("");
  expect(results.length).toBeGreaterThanOrEqual(300);
});
