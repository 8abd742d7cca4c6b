import { z } from "zod";
import { ModelName, TaskName } from "../ids.ts";
import { BoundedAnswer } from "../records/bounded-json.ts";
import { BudgetName, Budgets } from "../records/budgets.ts";
import { Feedback } from "../records/choices.ts";
import { Execution } from "../records/execution.ts";
import { ActStep, mostObservations, Observation, TurnCost } from "../records/step.ts";
import { Measurement } from "../records/verdict.ts";
import { caseOf, commandKey, defineStage, failed } from "./define-stage.ts";

/** What the diagnosis report is made of. */
export const Diagnosis = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("oracle").describe("the failed service and the failure category") }),
  z.strictObject({
    kind: z.literal("symptoms"),
    measurements: z.array(Measurement).describe("measurements that proved the failure"),
  }),
  z.strictObject({ kind: z.literal("none") }),
]);
export type Diagnosis = z.infer<typeof Diagnosis>;

/** What came of the attempt before. */
export const AttemptFeedback = z.strictObject({
  execution: z
    .string()
    .describe("output of the last playbook, or the reason why none ran or no answer was handed in"),
  unanswered: z
    .literal(true)
    .optional()
    .describe("the task asks for an answer and none was handed in; absent: the task is to change the system"),
  recovered: z
    .boolean()
    .optional()
    .describe("the verdict that the request chose; absent: withheld from the method"),
  observation: z.string().optional().describe("the measurements in words; absent: withheld from the method"),
});
export type AttemptFeedback = z.infer<typeof AttemptFeedback>;

/** Scheduler to remediator: one turn of the agent, with what came of the attempt before. */
export const SolveCommand = z.strictObject({
  ...commandKey,
  ...caseOf,
  task: TaskName.optional().describe("name of the task in the catalogue; absent: mitigation"),
  method: z.string(),
  model: ModelName,
  attemptNumber: z
    .int()
    .min(1)
    .optional()
    .describe("number of the attempt, where actions within turns have keys of their own; absent: `attempt`"),
  acted: z
    .strictObject({
      number: z.int().min(1).describe("which action of this attempt it was"),
      execution: Execution,
    })
    .optional()
    .describe("what came of the last action, if the turn goes on after it; absent: a turn begins"),
  firstAttempt: z
    .int()
    .min(2)
    .optional()
    .describe(
      "of a later task of a cycle: its first attempt in the episode, whose conversation goes on; absent: 1",
    ),
  window: z
    .strictObject({
      number: z.int().min(1),
      seconds: z.number().min(1).describe("cluster time of one window"),
    })
    .optional()
    .describe("of a watch: the window that has passed; absent: no watch"),
  maxAttempts: z.int().min(1),
  maxProbes: z.int().min(0),
  probeSeconds: z.int().min(1),
  actSeconds: z.int().min(1).optional().describe("that one action may take; absent: not known"),
  modelSeconds: z.int().min(1),
  budgets: Budgets.prefault({}),
  playbook: z.string().nullable().default(null).describe("playbook of the request, for the method Human"),
  seed: z.string().describe("of the rule-based models' draws"),
  draws: z.string().optional().describe("secret seed of the draws of the agent's own code; absent: `seed`"),
  historyFrom: z
    .number()
    .optional()
    .describe("cluster time, ms, at which the history begins that the agent may see; absent: all of it"),
  diagnosis: Diagnosis.optional().describe("absent: oracle"),
  feedbackKind: Feedback.optional().describe("kind of `feedback`; absent: oracle"),
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

/** What a failed turn says besides its error. */
export const BrokenTurn = z.strictObject({
  given: z
    .boolean()
    .optional()
    .describe("the agent had been given something of the episode; absent: not known, which counts as true"),
  turn: z.strictObject(turn).optional().describe("what it had seen and used until then; absent: not known"),
});
export type BrokenTurn = z.infer<typeof BrokenTurn>;

/** The stage `solve`. Its result is an action, an answer, or the reason why there is neither. */
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
      goesOn: z.literal(true).optional().describe("the turn goes on after it; absent: it ends the turn"),
      atMostSeconds: ActStep.shape.atMostSeconds,
      source: z
        .enum(["tool-call", "text"])
        .optional()
        .describe("text: the model called no tool, the playbook was read from a YAML block of its answer"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("submit"),
      answer: BoundedAnswer.describe("matches the task's answer schema"),
      source: z.enum(["tool-call", "text"]).optional().describe("as for an action"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("done"),
      reason: z
        .string()
        .describe("the method ends the episode; possible only if the verdict is withheld from it"),
      ...turn,
    }),
    z.strictObject({
      status: z.literal("nothing"),
      reason: z.string().describe("why there is neither an action nor an answer"),
      exhausted: BudgetName.optional().describe("the budget that ran out; no attempt follows"),
      ...turn,
    }),
    z.strictObject({ ...failed.shape, ...BrokenTurn.shape }),
  ]),
  doc: "Run one turn of the method. It ends with an action, an answer to the task, or nothing.",
});
