import { z } from "zod";
import { defaultTask, FailureName, ModelName, TaskName } from "../ids.ts";
import { PlannedProblem } from "./planned-problem.ts";

/** One planned episode: a case, and who is tried on it. */
export const PlannedEpisode = z.strictObject({
  index: z.int().min(0),
  failure: FailureName,
  target: z.string().min(1).describe("the workload that the failure is injected into"),
  caseId: z
    .string()
    .min(1)
    .describe(
      "<seed>/<number in the plan>/<failure>/<target>, and @<task> for tasks other than mitigation; the same for every model, method and repeat, so that they can be compared case by case; of a problem <seed>/<problem>",
    ),
  task: TaskName.optional().describe("the task; absent: mitigation"),
  model: ModelName,
  method: z.string().min(1),
  repeat: z.int().min(1).describe("number of the run of the case, from 1"),
  alternatives: z
    .array(z.string().min(1))
    .describe("targets to try in turn when the failure has no effect on the target"),
  problem: PlannedProblem.optional().describe("absent: the request names failures, no problems"),
});
export type PlannedEpisode = z.infer<typeof PlannedEpisode>;

/** The identity of a case; `number` counts the cases of the plan from 0. */
export function caseIdOf(of: { seed: number; number: number; failure: string; target: string }): string {
  return `${of.seed}/${String(of.number).padStart(4, "0")}/${of.failure}/${of.target}`;
}

/** The identity of a problem's case. */
export function problemCaseId({ seed, id }: { seed: number; id: string }): string {
  return `${seed}/${id}`;
}

/** A planned episode at a task. The default one is not named, so that what was published stays as it is. */
export function plannedAt<P extends Pick<PlannedEpisode, "caseId">>(
  planned: P,
  task: string,
): P & Pick<PlannedEpisode, "task"> {
  return task === defaultTask ? planned : { ...planned, task, caseId: `${planned.caseId}@${task}` };
}

/** The case on another target. */
export function caseIdOn(caseId: string, target: string): string {
  const [seed, number, failure] = caseId.split("/");
  const suffix = /@[a-z0-9-]+$/.exec(caseId)?.[0] ?? "";
  return `${seed}/${number}/${failure}/${target}${suffix}`;
}

/** What the agent of an episode, or of a command, is asked. */
export function taskOf({ task }: Pick<PlannedEpisode, "task">): string {
  return task ?? defaultTask;
}

/** The system under test of an episode: its problem's, or its request's. */
export function environmentOf(
  { problem }: Pick<PlannedEpisode, "problem">,
  request: { readonly environment?: string | undefined },
): string {
  return problem?.environment ?? request.environment ?? "";
}
