import type { Environment, Fault } from "@microremed/catalogue";
import type { ExperimentRequest } from "@microremed/contracts";
import { type PlannedFrom, plannedFaults } from "./plan.ts";

/**
 * Why a request cannot ask for the published rules' verdict (`verdict: microremed`): a sentence with the faults for which
 * its rules have no check; undefined: it can, or does not. For a control the method gets the strict verdict.
 */
export function withoutPublishedRule(
  request: Pick<ExperimentRequest, "failures" | "seed" | "cases" | "verdict">,
  environment: Environment,
  catalogue: PlannedFrom,
): string | undefined {
  if (request.verdict !== "microremed") return undefined;
  return withoutCheck(request, plannedFaults(request, environment, catalogue));
}

/** The same for faults that are known. */
export function withoutCheck(
  { verdict }: Pick<ExperimentRequest, "verdict">,
  faults: readonly Fault[],
): string | undefined {
  if (verdict !== "microremed") return undefined;
  const names = faults.flatMap(({ name, published, control }) => (published || control ? [] : [name]));
  if (names.length === 0) return undefined;
  return `MicroRemed's published rules have no check for ${names.join(", ")}; use "strict", or leave these failures out`;
}
