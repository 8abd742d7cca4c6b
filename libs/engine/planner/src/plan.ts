import { canDoAll, type Environment, type Fault, targetText } from "@microremed/catalogue";
import {
  caseIdOf,
  defaultTask,
  type ExperimentRequest,
  noModel,
  type PlannedEpisode,
  plannedAt,
} from "@microremed/contracts";
import { createRng, oneOf, type Rng, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { sequenceNamed } from "./sequences.ts";

/** What a plan is made from. */
export type PlannedFrom = Pick<Catalogue, "faults" | "suites"> & KnownAgents;

/** Absent: every agent calls a model, and does every task. */
interface KnownAgents {
  readonly agents?: Pick<Catalogue["agents"], "get" | "has">;
  /** Absent: no task has parts. */
  readonly tasks?: Pick<Catalogue["tasks"], "get" | "has">;
}

/** Episodes that one experiment may have. */
const maxEpisodes = 1_000_000;
/** Further targets on which a case may be drawn again. */
const maxAlternatives = 3;

/** `task` absent: the case is run with each of the request's. */
export type PlannedCase = Pick<
  PlannedEpisode,
  "failure" | "target" | "alternatives" | "caseId" | "problem" | "task"
>;
type Drawn = Pick<ExperimentRequest, "failures" | "seed" | "cases"> &
  Partial<Pick<ExperimentRequest, "target">>;
export type Matrix = Pick<ExperimentRequest, "model" | "method" | "repeats"> &
  Partial<Pick<ExperimentRequest, "task" | "episodes">>;

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
export function planOf(request: Drawn & Matrix, environment: Environment, catalogue: PlannedFrom): Plan {
  const { task: tasks = [defaultTask] } = request;
  return matrixOf(request, tasks, wantedOf(request, casesOf(request, environment, catalogue)), catalogue);
}

/** Every case with every task, method and model, as often as the request asks for. */
export function matrixOf(
  request: Omit<Matrix, "task">,
  tasks: readonly string[],
  cases: Cases<PlannedCase>,
  known: KnownAgents,
): Plan {
  const { model: models, method: methods, repeats } = request;
  const most = cases.count * models.length * methods.length * tasks.length * repeats;
  if (most > maxEpisodes) {
    throw terminal(
      "invalid-request",
      `${cases.count} cases x ${models.length} models x ${methods.length} methods x ${tasks.length} tasks x ${repeats} repeats are ${most} episodes; an experiment may have at most ${maxEpisodes}`,
    );
  }
  // The model changes fastest: an episode's index modulo their number gives its model, by which arenas are shared.
  const orderAt = (asked: readonly string[]) =>
    Array.from({ length: repeats }, (_, i) => i + 1).flatMap((repeat) =>
      asked.flatMap((task) =>
        methods
          .filter((method) => does(method, task, known))
          .flatMap((method) =>
            models.map((model) => ({ repeat, task, method, model: modelOf(method, model, known) })),
          ),
      ),
    );
  const ofAll = orderAt(tasks);
  const orders = new Map<string, ReturnType<typeof orderAt>>();
  const orderOf = ({ task }: Pick<PlannedCase, "task">): typeof ofAll => {
    if (task === undefined) return ofAll;
    const order = orders.get(task) ?? orderAt([task]);
    orders.set(task, order);
    return order;
  };
  const starts = startsOf(cases, (one) => orderOf(one).length, ofAll.length);
  const total = starts(cases.count);
  if (total === 0) {
    const message = `none of the ${cases.count} cases is at a task that ${methods.join(" or ")} can do`;
    throw terminal("invalid-request", message);
  }
  return only(request, {
    total,
    episodes: (from, to) => {
      const end = Math.min(to, total);
      const numbers = range(caseWith(from, cases.count, starts), cases.count);
      const planned: PlannedEpisode[] = [];
      for (const number of numbers) {
        const start = starts(number);
        if (start >= end) break;
        const one = cases.at(number);
        for (const [i, { task, ...how }] of orderOf(one).entries())
          if (start + i >= from && start + i < end)
            planned.push(plannedAt({ ...one, ...how, index: start + i }, one.task ?? task));
      }
      return planned;
    },
  });
}

/** Index of the first episode of each case. Cases with a task of their own may have different numbers of episodes. */
function startsOf(
  { count, taskAt }: Cases<PlannedCase>,
  episodesOf: (one: Pick<PlannedCase, "task">) => number,
  usual: number,
): (number: number) => number {
  if (taskAt === undefined) return (number) => number * usual;
  const starts = [0];
  for (const number of range(0, count))
    starts.push((starts.at(-1) ?? 0) + episodesOf({ task: taskAt(number) }));
  return (number) => starts[number] ?? 0;
}

/** The last case that begins at an episode's index or before it. */
function caseWith(index: number, count: number, starts: (number: number) => number): number {
  let [low, high] = [0, Math.max(0, count - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts(middle) <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether an agent can do a task, with all of its parts. */
function does(method: string, task: string, { agents, tasks }: KnownAgents): boolean {
  if (!agents?.has(method)) return true;
  return canDoAll(agents.get(method), tasks?.has(task) ? tasks.get(task) : { name: task });
}

/** An agent of code has the same episodes whatever model others of the request ask. */
function modelOf(method: string, model: string, { agents }: KnownAgents): string {
  return agents?.has(method) && agents.get(method).code ? noModel : model;
}

/** Those that the request names by number, or all. Their numbers in the part have no gaps. */
function only({ episodes: wanted, model }: Pick<Matrix, "episodes" | "model">, plan: Plan): Plan {
  if (wanted === undefined) return plan;
  if (model.length > 1) {
    const message = `episodes: single episodes can be asked for of one model, and the request has ${model.length}`;
    throw terminal("invalid-request", message);
  }
  const beyond = wanted.find((number) => number >= plan.total);
  if (beyond !== undefined) {
    const message = `there is no episode ${beyond}: the plan has ${plan.total} episodes, numbered from 0`;
    throw terminal("invalid-request", message);
  }
  return {
    total: wanted.length,
    episodes: (from, to) =>
      wanted
        .slice(from, to)
        .flatMap((number, i) =>
          plan.episodes(number, number + 1).map((one) => ({ ...one, index: from + i })),
        ),
  };
}

/**
 * Every episode of a request, by index: for each case every repeat, task, method and model, the model changing
 * fastest. Throws as `planOf` does.
 */
export function planEpisodes(
  request: Drawn & Matrix,
  environment: Environment,
  catalogue: PlannedFrom,
): PlannedEpisode[] {
  const { total, episodes } = planOf(request, environment, catalogue);
  return episodes(0, total);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}

/**
 * Which failure on which workload. The seed alone decides the draws, each number from a stream of its own, so that a
 * longer plan begins like a shorter one.
 */
export function planCases(request: Drawn, environment: Environment, catalogue: PlannedFrom): PlannedCase[] {
  const { count, at } = wantedOf(request, casesOf(request, environment, catalogue));
  return range(0, count).map(at);
}

/** The faults that a request's cases have; where they are drawn, all that may be. */
export function plannedFaults(
  request: Drawn,
  environment: Environment,
  catalogue: PlannedFrom,
): readonly Fault[] {
  if (request.cases === undefined) return choicesOf(request, environment, catalogue).possible;
  const names = planCases(request, environment, catalogue).map(({ failure }) => failure);
  return [...new Set(names)].map(catalogue.faults.get);
}

/** Numbered from 0, each worked out when it is asked for. */
export interface Cases<C> {
  readonly count: number;
  /** The task of a case, without working it out. Absent: each is run with every task of the request. */
  taskAt?(number: number): string;
  at(number: number): C;
}

/** Those that the request names by number, or all. */
export function wantedOf<C>(
  { cases: wanted }: Pick<Drawn, "cases">,
  { count, at, taskAt }: Cases<C>,
): Cases<C> {
  if (wanted === undefined) return { count, at, ...(taskAt && { taskAt }) };
  const beyond = wanted.find((number) => number >= count);
  if (beyond === undefined)
    return {
      count: wanted.length,
      at: (position) => at(wanted[position] ?? 0),
      ...(taskAt && { taskAt: (position: number) => taskAt(wanted[position] ?? 0) }),
    };
  throw terminal(
    "invalid-request",
    `there is no case ${beyond}: the plan has ${count} cases, numbered from 0`,
  );
}

function casesOf(request: Drawn, environment: Environment, catalogue: PlannedFrom): Cases<PlannedCase> {
  const targets = new Map<string, readonly string[]>();
  const targetsOf = (fault: Fault): readonly string[] => {
    const known = targets.get(fault.name) ?? targetsFor(fault, request, environment);
    targets.set(fault.name, known);
    return known;
  };
  const draws = createRng(request.seed, `plan of ${environment.name}`);
  const { count, possible, choose } = choicesOf(request, environment, catalogue);
  for (const fault of possible)
    if (targetsOf(fault).length === 0) throw noTarget(fault, environment, request.target);
  if (possible.length === 0) throw nothingToDraw(request, environment);
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

/** The one that the request names, if it is possible, or all. */
function targetsFor(
  fault: Fault,
  { target }: Pick<Drawn, "target">,
  environment: Environment,
): readonly string[] {
  const possible = eligibleTargets(fault, environment);
  return target === undefined ? possible : possible.filter((name) => name === target);
}

/** What the fault can be injected into, as messages name it, in the environment's order. */
export function eligibleTargets(fault: Fault, environment: Environment): readonly string[] {
  return fault.targets(environment).map(targetText);
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

/** `{random: N}` draws from this suite, which no new fault changes. */
const drawnFrom = "random@1";

function choicesOf(
  request: Pick<Drawn, "failures" | "target">,
  environment: Environment,
  catalogue: PlannedFrom,
): Choices {
  const { failures: plan } = request;
  if (typeof plan === "string") return inTurn(sequenceNamed(plan, catalogue), catalogue);
  if (Array.isArray(plan)) return inTurn(plan, catalogue);
  const possible = catalogue.suites
    .get(drawnFrom)
    .draw.map(catalogue.faults.get)
    .filter((fault) => targetsFor(fault, request, environment).length > 0);
  return { count: plan.random, possible, choose: (_, rng) => rng.pick(possible) };
}

function inTurn(names: readonly string[], { faults }: PlannedFrom): Choices {
  const possible = [...new Set(names)].map(faults.get);
  return { count: names.length, possible, choose: (number) => faults.get(names[number] ?? "") };
}

function nothingToDraw({ target }: Pick<Drawn, "target">, environment: Environment): Error {
  const what = target === undefined ? "anything" : JSON.stringify(target);
  return terminal(
    "invalid-request",
    `none of the drawn failures can be injected into ${what} of ${environment.name}`,
  );
}

function noTarget(fault: Fault, environment: Environment, wanted: string | undefined): Error {
  const possible = eligibleTargets(fault, environment);
  if (wanted !== undefined && possible.length > 0) {
    const known = environment.targets.includes(wanted);
    const why = known ? fault.ineligible?.(environment, wanted) : `it is no target of ${environment.name}`;
    return terminal(
      "invalid-request",
      `${fault.name} cannot be injected into ${JSON.stringify(wanted)}${why ? `: ${why}` : ""}; possible: ${oneOf(possible)}`,
    );
  }
  const [target = ""] = environment.targets;
  const why = fault.ineligible?.(environment, target) ?? "none of its parts is a target";
  return terminal("invalid-request", `${fault.name} has no possible target in ${environment.name}: ${why}`);
}
