import { caseIdOf, type ExperimentRequest, type PlannedEpisode } from "@microremed/contracts";
import { createRng, oneOf, type Rng, terminal } from "@microremed/core";
import type { Environment } from "@microremed/environments";
import type { Fault } from "./fault.ts";
import { levels } from "./levels.ts";
import { faults, findFault } from "./registry.ts";

/** Episodes that one experiment may have. */
const maxEpisodes = 1_000_000;
/** Further targets on which a case may be drawn again. */
const maxAlternatives = 3;

type PlannedCase = Pick<PlannedEpisode, "failure" | "target" | "alternatives" | "caseId">;
type Drawn = Pick<ExperimentRequest, "failures" | "seed" | "cases">;
type Matrix = Pick<ExperimentRequest, "model" | "method" | "repeats">;

/** The episodes of a request, worked out when asked for: there may be a million. */
export interface Plan {
  readonly total: number;
  /** Those with an index from `from` up to, but without, `to`. */
  episodes(from: number, to: number): PlannedEpisode[];
}

/**
 * Every case with every method and model, as often as the request asks for.
 * Throws `unknown-failure` or `invalid-request` that names what exists.
 */
export function planOf(request: Drawn & Matrix, environment: Environment): Plan {
  const cases = wantedOf(request, casesOf(request, environment));
  const { model: models, method: methods, repeats } = request;
  const perCase = models.length * methods.length * repeats;
  const total = cases.count * perCase;
  if (total > maxEpisodes) {
    throw terminal(
      "invalid-request",
      `${cases.count} cases x ${models.length} models x ${methods.length} methods x ${repeats} repeats are ${total} episodes; an experiment may have ${maxEpisodes}`,
    );
  }
  // The model changes fastest: an episode's index modulo their number tells its model, by which arenas are shared out.
  const order = Array.from({ length: repeats }, (_, i) => i + 1).flatMap((repeat) =>
    methods.flatMap((method) => models.map((model) => ({ repeat, method, model }))),
  );
  return {
    total,
    episodes: (from, to) => {
      const first = Math.floor(from / perCase);
      const planned = range(first, Math.ceil(Math.min(to, total) / perCase)).flatMap((number) => {
        const one = cases.at(number);
        return order.map((how, i) => ({ ...one, ...how, index: number * perCase + i }));
      });
      return planned.slice(from - first * perCase, Math.min(to, total) - first * perCase);
    },
  };
}

/** All of them. */
export function planEpisodes(request: Drawn & Matrix, environment: Environment): PlannedEpisode[] {
  const { total, episodes } = planOf(request, environment);
  return episodes(0, total);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/**
 * Which failure on which workload. The seed alone decides the draws, each number from a stream of its own, so that a
 * longer plan begins like a shorter one.
 */
export function planCases(request: Drawn, environment: Environment): PlannedCase[] {
  const { count, at } = wantedOf(request, casesOf(request, environment));
  return range(0, count).map(at);
}

interface Cases {
  readonly count: number;
  at(number: number): PlannedCase;
}

/** Those that the request names by number, or all. */
function wantedOf({ cases: wanted }: Drawn, { count, at }: Cases): Cases {
  if (wanted === undefined) return { count, at };
  const beyond = wanted.find((number) => number >= count);
  if (beyond === undefined) return { count: wanted.length, at: (position) => at(wanted[position] ?? 0) };
  throw terminal(
    "invalid-request",
    `there is no case ${beyond}: the plan's ${count} cases are counted from 0`,
  );
}

function casesOf(request: Drawn, environment: Environment): Cases {
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (fault: Fault): readonly string[] => {
    const known = targets.get(fault.name) ?? eligibleTargets(fault, environment);
    targets.set(fault.name, known);
    return known;
  };
  const draws = createRng(request.seed, `plan of ${environment.name}`);
  const { count, possible, choose } = choicesOf(request.failures, environment);
  for (const fault of possible) if (targetsOf(fault).length === 0) throw noTarget(fault, environment);
  const at = (number: number): PlannedCase => {
    const rng = draws.fork(`episode ${number}`);
    const fault = choose(number, rng);
    const candidates = targetsOf(fault);
    const target = rng.pick(candidates);
    return {
      failure: fault.name,
      target,
      alternatives: othersInTurn(candidates, target, rng),
      caseId: caseIdOf({ seed: request.seed, number, failure: fault.name, target }),
    };
  };
  return { count, at };
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

interface Choices {
  readonly count: number;
  /** Every fault that may be chosen. */
  readonly possible: readonly Fault[];
  readonly choose: (number: number, rng: Rng) => Fault;
}

function choicesOf(plan: ExperimentRequest["failures"], environment: Environment): Choices {
  if (typeof plan === "string") return inTurn(named(plan));
  if (Array.isArray(plan)) return inTurn(plan);
  const possible = Object.values(faults).filter(
    (fault) => !fault.control && eligibleTargets(fault, environment).length > 0,
  );
  return { count: plan.random, possible, choose: (_, rng) => rng.pick(possible) };
}

function inTurn(names: readonly string[]): Choices {
  const known = new Map([...new Set(names)].map((name) => [name, findFault(name)]));
  const choose = (number: number): Fault => findFault(names[number] ?? "");
  return { count: names.length, possible: [...known.values()], choose };
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
  const [target = ""] = environment.targets;
  return terminal(
    "invalid-request",
    `${fault.name} can be injected into no workload of ${environment.name}: ${fault.ineligible(environment, target)}`,
  );
}
