import { z } from "zod";
import { FailureName, ModelName } from "../ids.ts";

/** One planned episode: a case, and who is tried on it. */
export const PlannedEpisode = z.strictObject({
  index: z.int().min(0),
  failure: FailureName,
  target: z.string().min(1).describe("the workload that the failure is injected into"),
  caseId: z
    .string()
    .min(1)
    .describe(
      "<seed>/<number in the plan>/<failure>/<target>: the same for every model, method and repeat, so that they can be compared case by case",
    ),
  model: ModelName,
  method: z.string().min(1),
  repeat: z.int().min(1).describe("which run of the case, from 1"),
  alternatives: z
    .array(z.string().min(1))
    .describe("targets that are taken in turn when the failure does not show on the target"),
});
export type PlannedEpisode = z.infer<typeof PlannedEpisode>;

/** The identity of a case; `number` counts the cases of the plan from 0. */
export function caseIdOf(of: { seed: number; number: number; failure: string; target: string }): string {
  return `${of.seed}/${String(of.number).padStart(4, "0")}/${of.failure}/${of.target}`;
}

/** The case on another target. */
export function caseIdOn(caseId: string, target: string): string {
  return `${caseId.slice(0, caseId.lastIndexOf("/"))}/${target}`;
}
