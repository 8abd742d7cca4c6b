export type { CaseResult, Outcome } from "./case.types.ts";
export { type Agreement, agreementTable, compareResults, differences } from "./compare.ts";
export { areaTable, caseTable, summaryOf } from "./report.ts";
export { type ConformanceOptions, runConformance } from "./run-conformance.ts";
