import { z } from "zod";
import { Persistence } from "../records/choices.ts";
import { Baseline, InjectionEvidence, Verdict } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

export const GradeCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  baseline: Baseline,
  injection: InjectionEvidence,
  persistence: Persistence.optional().describe("absent: once"),
  remedyAt: z
    .number()
    .nullable()
    .describe("cluster time, ms, at which the first playbook was started; null: unknown"),
  timeoutSeconds: z.int(),
});
export type GradeCommand = z.infer<typeof GradeCommand>;

export const grade = defineStage({
  name: "grade",
  state: "grading",
  service: "verifier",
  shard: "cluster",
  title: "GradeCommand",
  command: GradeCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({ status: z.literal("ok"), verdict: Verdict }),
    failed,
  ]),
  doc: "Run the failure's oracles until they hold or the deadline passes.",
});
