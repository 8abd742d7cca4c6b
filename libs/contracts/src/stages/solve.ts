import { z } from "zod";
import { ModelName, TaskName } from "../ids.ts";
import { BudgetName, Budgets } from "../records/budgets.ts";
import { Feedback } from "../records/choices.ts";
import { mostObservations, Observation, TurnCost } from "../records/step.ts";
import { Measurement } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** What the diagnosis report is made of. */
export const Diagnosis = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("oracle").describe("the failed service and the failure category") }),
  z.strictObject({
    kind: z.literal("symptoms"),
    measurements: z.array(Measurement).describe("as the failure was proven"),
  }),
  z.strictObject({ kind: z.literal("none") }),
]);
export type Diagnosis = z.infer<typeof Diagnosis>;

/** What came of the attempt before. */
export const AttemptFeedback = z.strictObject({
  execution: z.string().describe("what the last playbook printed, or why none was run"),
  recovered: z
    .boolean()
    .optional()
    .describe("the verdict that the request chose; absent: kept from the method"),
  observation: z.string().optional().describe("what was measured, in words; absent: kept from the method"),
});
export type AttemptFeedback = z.infer<typeof AttemptFeedback>;

export const SolveCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  task: TaskName.optional().describe(
    "what the agent is asked, by its name in the catalogue; absent: mitigation",
  ),
  method: z.string(),
  model: ModelName,
  maxAttempts: z.int().min(1),
  maxProbes: z.int().min(0),
  probeSeconds: z.int().min(1),
  modelSeconds: z.int().min(1),
  budgets: Budgets.prefault({}),
  playbook: z.string().nullable().default(null).describe("of the request, for the method Human"),
  seed: z.string(),
  diagnosis: Diagnosis.optional().describe("absent: oracle"),
  feedbackKind: Feedback.optional().describe("what `feedback` may say; absent: oracle"),
  feedback: AttemptFeedback.nullable().describe("null on the first attempt"),
});
export type SolveCommand = z.infer<typeof SolveCommand>;

const turn = {
  observations: z
    .array(Observation)
    .max(mostObservations)
    .default([])
    .describe("the latest observations of this turn"),
  ...TurnCost.shape,
};

export const solve = defineStage({
  name: "solve",
  state: "solving",
  service: "remediator",
  shard: "model",
  changesArena: false,
  title: "SolveCommand",
  command: SolveCommand,
  body: z.discriminatedUnion("status", [
    z.strictObject({
      status: z.literal("act"),
      tool: z.string().min(1).max(100),
      arguments: z.record(z.string(), z.unknown()),
      source: z
        .enum(["tool-call", "text"])
        .optional()
        .describe("text: the model called no tool, the playbook was read from a YAML block of its answer"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("submit"),
      answer: z.unknown().describe("as the task's answer schema says"),
      source: z.enum(["tool-call", "text"]).optional().describe("as of an action"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("done"),
      reason: z.string().describe("the method is content; possible only where the verdict is kept from it"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("nothing"),
      reason: z.string().describe("why there is neither an action nor an answer"),
      exhausted: BudgetName.optional().describe("the budget that ran out, after which no attempt can follow"),
      ...turn,
    }),
    failed,
  ]),
  doc: "Run one turn of the method, ending in an action, in an answer to the task, or in nothing.",
});
