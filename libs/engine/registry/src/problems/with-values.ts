import { drawnParameters, type Problem } from "@microremed/catalogue";
import { createRng } from "@microremed/core";
import type { ProblemParts } from "./problem-issues.ts";

/** What the values of faults are drawn from. */
export type ValueParts = Pick<ProblemParts, "faults" | "environments">;

/**
 * A problem with the values that its faults set in experiments of one seed: those that it says, and drawn ones. One that cannot
 * be run here is left as it is.
 */
export function withValues(problem: Problem, seed: number, { faults, environments }: ValueParts): Problem {
  const { id, drawnValues, missing } = problem;
  const environment = environments.get(problem.environment);
  if (!drawnValues || missing.length > 0 || !environment) return problem;
  const incident = problem.incident.map((one, i) => {
    const rng = createRng(seed, `values ${i} of ${id}`);
    const where = { environment, target: one.target };
    const parameters = drawnParameters(faults.get(one.fault) ?? {}, where, one.parameters, rng);
    return { ...one, ...(parameters && { parameters }) };
  });
  return { ...problem, incident };
}
