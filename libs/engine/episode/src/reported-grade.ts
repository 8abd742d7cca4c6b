import { type EndStep, gradeOfStep } from "@microremed/contracts";
import type { EpisodePlan } from "./plan.ts";

/**
 * Whether the step passed, as the method gets to know: of the two verdicts on a system, the request chooses one. Where
 * the published rules have no check, as for a control, it is the strict one.
 */
export function isReportedPassed(step: EndStep, { request }: Pick<EpisodePlan, "request">): boolean {
  const published = request.verdict === "microremed" ? step.verdict?.microremed : null;
  return published?.recovered ?? gradeOfStep(step)?.passed ?? false;
}
