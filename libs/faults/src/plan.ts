import type { ExperimentRequest, PlannedEpisode } from "@microremed/contracts";
import { createRng, oneOf, type Rng, terminal } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import type { Fault } from "./fault.ts";
import { levels } from "./levels.ts";
import { faults, findFault } from "./registry.ts";

/**
 * The episodes of a request, in order: which failure, on which workload. The seed alone decides the draws, each index
 * from a stream of its own, so that a longer plan begins like a shorter one.
 * Throws `unknown-failure` or `invalid-request` that names what exists.
 */
export function planEpisodes(
  request: Pick<ExperimentRequest, "failures" | "seed">,
  environment: Environment,
): PlannedEpisode[] {
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (fault: Fault): readonly string[] => {
    const known = targets.get(fault.name) ?? eligibleTargets(fault, environment);
    targets.set(fault.name, known);
    return known;
  };
  const draws = createRng(request.seed, `plan of ${environment.name}`);
  return choices(request.failures, environment).map((choose, index) => {
    const rng = draws.fork(`episode ${index}`);
    const fault = choose(rng);
    const candidates = targetsOf(fault);
    if (candidates.length === 0) throw noTarget(fault, environment);
    return { index, failure: fault.name, target: rng.pick(candidates) };
  });
}

/** The workloads into which the fault can be injected, in the environment's order. */
export function eligibleTargets(fault: Fault, environment: Environment): readonly string[] {
  return Object.keys(environment.workloads).filter(
    (target) => fault.ineligible(environment, target) === undefined,
  );
}

function choices(plan: ExperimentRequest["failures"], environment: Environment): ((rng: Rng) => Fault)[] {
  if (typeof plan === "string") return named(plan).map((name) => () => findFault(name));
  if (Array.isArray(plan)) return plan.map((name) => () => findFault(name));
  const possible = Object.values(faults).filter((fault) => eligibleTargets(fault, environment).length > 0);
  return Array.from({ length: plan.random }, () => (rng: Rng) => rng.pick(possible));
}

function named(plan: string): readonly string[] {
  const sequence = Object.hasOwn(levels, plan) ? levels[plan] : undefined;
  if (sequence) return sequence;
  throw terminal(
    "unknown-failure",
    `there is no level or failure ${JSON.stringify(plan)}; known: ${oneOf(Object.keys(levels))}`,
  );
}

function noTarget(fault: Fault, environment: Environment): Error {
  const [target = ""] = environment.targets.default;
  return terminal(
    "invalid-request",
    `${fault.name} can be injected into no workload of ${environment.name}: ${fault.ineligible(environment, target)}`,
  );
}
