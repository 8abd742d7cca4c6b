import { caseIdOf, type ExperimentRequest, type PlannedEpisode } from "@microremed/contracts";
import { createRng, oneOf, type Rng, terminal } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import type { Fault } from "./fault.ts";
import { levels } from "./levels.ts";
import { faults, findFault } from "./registry.ts";

/** Episodes that one experiment may have. */
const maxEpisodes = 100_000;
/** Further targets on which a case may be drawn again. */
const maxAlternatives = 3;

type PlannedCase = Pick<PlannedEpisode, "failure" | "target" | "alternatives" | "caseId">;
type Matrix = Pick<ExperimentRequest, "model" | "method" | "repeats">;

/**
 * The episodes of a request, in order: every case with every method and model, as often as it asks for.
 * Throws `unknown-failure` or `invalid-request` that names what exists.
 */
export function planEpisodes(
  request: Pick<ExperimentRequest, "failures" | "seed"> & Matrix,
  environment: Environment,
): PlannedEpisode[] {
  const cases = planCases(request, environment);
  const { model: models, method: methods, repeats } = request;
  const total = cases.length * models.length * methods.length * repeats;
  if (total > maxEpisodes) {
    throw terminal(
      "invalid-request",
      `${cases.length} cases x ${models.length} models x ${methods.length} methods x ${repeats} repeats are ${total} episodes; an experiment may have ${maxEpisodes}`,
    );
  }
  const order = cases.flatMap((planned) =>
    Array.from({ length: repeats }, (_, i) => i + 1).flatMap((repeat) =>
      methods.flatMap((method) => models.map((model) => ({ ...planned, repeat, method, model }))),
    ),
  );
  // The model changes fastest: an episode's index modulo their number tells its model, by which arenas are shared out.
  return order.map((planned, index) => ({ ...planned, index }));
}

/**
 * Which failure on which workload. The seed alone decides the draws, each number from a stream of its own, so that a
 * longer plan begins like a shorter one.
 */
export function planCases(
  request: Pick<ExperimentRequest, "failures" | "seed">,
  environment: Environment,
): PlannedCase[] {
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (fault: Fault): readonly string[] => {
    const known = targets.get(fault.name) ?? eligibleTargets(fault, environment);
    targets.set(fault.name, known);
    return known;
  };
  const draws = createRng(request.seed, `plan of ${environment.name}`);
  return choices(request.failures, environment).map((choose, number) => {
    const rng = draws.fork(`episode ${number}`);
    const fault = choose(rng);
    const candidates = targetsOf(fault);
    if (candidates.length === 0) throw noTarget(fault, environment);
    const target = rng.pick(candidates);
    return {
      failure: fault.name,
      target,
      alternatives: othersInTurn(candidates, target, rng),
      caseId: caseIdOf({ seed: request.seed, number, failure: fault.name, target }),
    };
  });
}

/** The workloads into which the fault can be injected, in the environment's order. */
export function eligibleTargets(fault: Fault, environment: Environment): readonly string[] {
  return Object.keys(environment.workloads).filter(
    (target) => fault.ineligible(environment, target) === undefined,
  );
}

function othersInTurn(candidates: readonly string[], target: string, rng: Rng): string[] {
  const left = candidates.filter((one) => one !== target);
  const drawn: string[] = [];
  while (left.length > 0 && drawn.length < maxAlternatives)
    drawn.push(...left.splice(rng.int(left.length), 1));
  return drawn;
}

function choices(plan: ExperimentRequest["failures"], environment: Environment): ((rng: Rng) => Fault)[] {
  if (typeof plan === "string") return named(plan).map((name) => () => findFault(name));
  if (Array.isArray(plan)) return plan.map((name) => () => findFault(name));
  const possible = Object.values(faults).filter(
    (fault) => !fault.control && eligibleTargets(fault, environment).length > 0,
  );
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
