import { StageResult, subjects } from "@microremed/contracts";

/** A consumer of the remediators' results, as the scheduler has one. */
export const solveResults = {
  stream: "RESULTS",
  durable: "test",
  subjects: [subjects.result("solve")],
  schema: StageResult,
  concurrency: 1,
} as const;
