import { drawnParameters, type IncidentFault, type Problem, type ProblemNoise } from "@microremed/catalogue";
import { createRng, type Rng } from "@microremed/core";
import { drawnForNoise } from "./noise-of.ts";
import { freeTargets, type ProblemParts } from "./problem-issues.ts";

/** What problems are completed from. */
export type DrawnParts = Pick<ProblemParts, "faults" | "noises" | "environments">;

/**
 * A problem as experiments of one seed have it: with the values that its faults and noises set, those that it says and drawn ones,
 * the workloads of noises that name none, and the times of faults that come and go. One that cannot be run here is left as it is.
 */
export function drawnProblem(problem: Problem, seed: number, parts: DrawnParts): Problem {
  const { id, drawnValues, missing } = problem;
  const environment = parts.environments.get(problem.environment);
  if (missing.length > 0 || !environment) return problem;
  const incident = problem.incident.map((one, i): IncidentFault => {
    const timed = one.flap
      ? { ...one, flap: drawnFlap(one.flap, createRng(seed, `flap ${i} of ${id}`)) }
      : one;
    const fault = parts.faults.get(one.fault);
    if (!drawnValues || !fault) return timed;
    const rng = createRng(seed, `values ${i} of ${id}`);
    const parameters = drawnParameters(fault, { environment, target: one.target }, one.parameters, rng);
    return { ...timed, ...(parameters && { parameters }) };
  });
  const noise = problem.noise.map((one, i): ProblemNoise => {
    const entry = parts.noises.get(one.noise);
    if (!entry) return one;
    const rng = createRng(seed, `noise ${i} of ${id}`);
    const free = entry.targets ? freeTargets(entry, environment, problem.incident) : [];
    const target = one.target ?? (free.length > 0 ? rng.pick(free) : undefined);
    const on = { ...one, ...(target !== undefined && { target }) };
    if (!drawnValues) return on;
    const values = createRng(seed, `values of noise ${i} of ${id}`);
    const parameters = drawnForNoise(entry, environment, target, one.parameters, values);
    return { ...on, ...(parameters && { parameters }) };
  });
  return { ...problem, incident, noise };
}

function drawnFlap({ onSeconds, offSeconds }: NonNullable<IncidentFault["flap"]>, rng: Rng) {
  const draw = (one: number | readonly [number, number]): number =>
    typeof one === "number" ? one : one[0] + rng.int(one[1] - one[0] + 1);
  return { onSeconds: draw(onSeconds), offSeconds: draw(offSeconds) };
}
