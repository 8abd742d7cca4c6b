import type { CaseResult } from "./case.types.ts";

const count = (results: readonly CaseResult[], outcome: CaseResult["outcome"]): number =>
  results.filter((result) => result.outcome === outcome).length;

/** `412 cases: 400 passed, 2 failed, 10 skipped`. */
export function summaryOf(results: readonly CaseResult[]): string {
  const parts = (["passed", "failed", "skipped"] as const).map(
    (outcome) => `${count(results, outcome)} ${outcome}`,
  );
  return `${results.length} cases: ${parts.join(", ")}`;
}

/** One line per case; errors are indented below. */
export function caseTable(results: readonly CaseResult[]): string {
  const width = Math.max(4, ...results.map(({ area }) => area.length));
  return results
    .map(({ area, name, outcome, reason, ms, attempt }) => {
      const tried = attempt === undefined ? "" : ` (try ${attempt})`;
      const line = `${outcome.padEnd(7)}  ${area.padEnd(width)}  ${String(ms).padStart(6)} ms  ${name}${tried}`;
      return reason === undefined ? line : `${line}\n${reason.replace(/^/gm, "           ")}`;
    })
    .join("\n");
}

/** Cases per area as a Markdown table. */
export function areaTable(results: readonly CaseResult[]): string {
  const areas = [...new Set(results.map(({ area }) => area))];
  const row = (name: string, of: readonly CaseResult[]): string =>
    `| ${name} | ${of.length} | ${count(of, "passed")} | ${count(of, "failed")} | ${count(of, "skipped")} |`;
  return [
    "| area | cases | passed | failed | skipped |",
    "| --- | --- | --- | --- | --- |",
    ...areas.map((name) =>
      row(
        name,
        results.filter(({ area }) => area === name),
      ),
    ),
    row("**all**", results),
  ].join("\n");
}
