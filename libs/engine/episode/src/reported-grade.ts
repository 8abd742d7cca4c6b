import { type EndStep, gradeOfStep } from "@microremed/contracts";
import type { EpisodePlan } from "./plan.ts";

/** Whether the step passed, as the method gets to know: of the two verdicts on a system, the request chooses one. */
export function isReportedPassed(step: EndStep, { request }: Pick<EpisodePlan, "request">): boolean {
  if (step.verdict === null || request.verdict === "strict") return gradeOfStep(step)?.passed ?? false;
  return step.verdict.microremed.recovered;
}
