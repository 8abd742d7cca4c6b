import { z } from "zod";
import { defaultTask, ModelName, TaskName } from "../ids.ts";
import { BoundedAnswer } from "../records/bounded-json.ts";
import { Persistence } from "../records/choices.ts";
import { Grade } from "../records/grade.ts";
import { Baseline, InjectionEvidence, Verdict } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** Scheduler to verifier: the answer to grade, or the repair to verify, with the baseline of the healthy system. */
export const GradeCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  task: TaskName.default(defaultTask),
  answer: BoundedAnswer.describe("the submitted answer; null: none"),
  baseline: Baseline,
  injection: InjectionEvidence,
  soakSeconds: z
    .int()
    .min(0)
    .optional()
    .describe("cluster time after a recovery before it is checked again; absent: 0"),
  persistence: Persistence.optional().describe("absent: once"),
  remedyAt: z
    .number()
    .nullable()
    .describe("cluster time, ms, at which the first playbook was started; null: unknown"),
  judge: z
    .strictObject({
      model: ModelName,
      timeoutSeconds: z.int().min(1).max(3600).describe("for its answer, wall clock"),
    })
    .optional()
    .describe("model that judges the free text of the answer; absent: none"),
  timeoutSeconds: z.int(),
});
export type GradeCommand = z.infer<typeof GradeCommand>;

/** The stage `grade`. Its result has the grade and, if the task asks for a repair, the verdict. */
export const grade = defineStage({
  name: "grade",
  state: "grading",
  service: "verifier",
  shard: "cluster",
  changesArena: false,
  title: "GradeCommand",
  command: GradeCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("ok"),
      grade: Grade,
      verdict: Verdict.nullable().describe("null: not part of the task"),
    }),
    failed,
  ]),
  doc: "Grade the answer or the repair by the task's rules. For mitigation: run the failure's oracles until they pass or the deadline is over.",
});
