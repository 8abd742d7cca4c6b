import { z } from "zod";
import { TaskName } from "../ids.ts";
import { CallUsage } from "./conversation.ts";
import { Execution } from "./execution.ts";
import { Grade } from "./grade.ts";
import { ModelSettings } from "./model-settings.ts";
import { mostObjectsBefore, ObjectBefore } from "./object-before.ts";
import { Usage } from "./usage.ts";
import { Verdict } from "./verdict.ts";

/** The tool by which a playbook is run. */
export const playbookTool = "run_playbook";
/** The tool by which a shell command is run; one that changes something is an action. */
export const shellTool = "exec_shell";
/** The tool by which the last such action is undone. */
export const undoTool = "undo_last_action";
/** The step of a turn of the agent that ended without an action or an answer. */
export const nothingTool = "nothing";
/** The tool by which an answer is handed in. */
export const submitTool = "submit";

/** Characters of an observation that a step keeps; all of it is in the conversation. */
export const observedCharacters = 400;
/** Observations of one turn that are kept as steps, the latest. */
export const mostObservations = 200;

const call = {
  kind: z.literal("observe"),
  tool: z.string().max(100),
  arguments: z.unknown().describe("text if the agent wrote no JSON"),
  result: z
    .string()
    .max(observedCharacters)
    .describe("the beginning, and how long it is; the whole result is in the conversation"),
  usage: CallUsage.nullable().describe(
    "of the model's answer, on the first call in it; null: none was asked",
  ),
  clusterMs: z
    .number()
    .min(0)
    .optional()
    .describe("time on the cluster's clock that it took; absent: not known"),
};

/** One call of a tool that reads, as a turn reports it. */
export const Observation = z.strictObject({
  ...call,
  startedAt: z.number().nullable().describe("wall clock, ms since the epoch; null: not known"),
  milliseconds: z.number().min(0).nullable().describe("null: not run"),
});
export type Observation = z.infer<typeof Observation>;

/** What a turn of the agent cost, on the step that it ended with. */
export const TurnCost = z.strictObject({
  usage: Usage,
  probes: z.int().min(0).describe("observations, including those that are no longer steps"),
  toolClusterMs: z
    .number()
    .min(0)
    .optional()
    .describe("time on the cluster's clock that all of them took; absent: a record of before"),
  settings: ModelSettings.optional().describe("absent: no model was asked"),
});
export type TurnCost = z.infer<typeof TurnCost>;

const place = {
  number: z.int().min(1).describe("from 1, within the trial"),
  attempt: z.int().min(1),
  task: TaskName.optional().describe(
    "of the tasks of a cycle the one in which it was done; absent: the episode's",
  ),
  startedAt: z.number().nullable().describe("wall clock, ms since the epoch; null: not known"),
  endedAt: z.number().nullable(),
  clusterTime: z.number().nullable().describe("cluster time of its start, ms; null: not known"),
};

const graded = {
  turn: TurnCost,
  verdict: Verdict.nullable().describe("measured after it; null: not measured"),
};

/** A tool that reads. */
export const ObserveStep = z.strictObject({ ...place, ...call });

/** A tool that changes the system; a playbook is one. */
export const ActStep = z.strictObject({
  ...place,
  kind: z.literal("act"),
  tool: z.string().max(100),
  arguments: z.record(z.string(), z.unknown()),
  result: Execution.nullable().describe("null: not ended"),
  goesOn: z
    .literal(true)
    .optional()
    .describe("the turn went on after it, and it was not graded by itself; absent: it ended the turn"),
  atMostSeconds: z
    .int()
    .min(1)
    .optional()
    .describe("wall clock that was left for it of the episode's budget; absent: not limited by it"),
  changed: z
    .array(ObjectBefore)
    .max(mostObjectsBefore)
    .optional()
    .describe("objects that it changed, as they were before; absent: not recorded"),
  ...graded,
  grade: Grade.nullable().describe("grade of the system after it; null: not graded"),
});

/** An answer to the task, or that there is none. */
export const SubmitStep = z.strictObject({
  ...place,
  kind: z.literal("submit"),
  tool: z.enum([submitTool, nothingTool]),
  arguments: z.unknown().describe("the answer; null: none"),
  reason: z.string().nullable().describe("why there is no answer and no action"),
  ...graded,
  result: Grade.nullable().describe("null: not graded"),
});

/** One thing that an agent did in an episode. */
export const Step = z.discriminatedUnion("kind", [ObserveStep, ActStep, SubmitStep]);
export type Step = z.infer<typeof Step>;
export type ActStep = z.infer<typeof ActStep>;
export type SubmitStep = z.infer<typeof SubmitStep>;
/** A step that ends a turn. */
export type EndStep = ActStep | SubmitStep;

/** The steps that end turns, one an attempt. */
export function endSteps(steps: readonly Step[]): EndStep[] {
  return turnSteps(steps).filter((step) => step.kind === "submit" || !step.goesOn);
}

/** The same, and the actions after which a turn went on. */
export function turnSteps(steps: readonly Step[]): EndStep[] {
  return steps.filter((step) => step.kind !== "observe");
}

/** Actions after which their turn went on. */
export function actionsWithin(steps: readonly Step[]): ActStep[] {
  return steps.filter((step) => step.kind === "act").filter(({ goesOn }) => goesOn === true);
}

/** What its grading has come to. */
export function gradeOfStep(step: EndStep): Grade | null {
  return step.kind === "act" ? step.grade : step.result;
}
