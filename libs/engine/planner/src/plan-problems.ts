import { type Problem, targetText } from "@microremed/catalogue";
import {
  type ExperimentRequest,
  type Flap,
  noFailure,
  type PlannedNoise,
  type PlannedProblem,
  problemCaseId,
} from "@microremed/contracts";
import { createRng, oneOf, terminal } from "@microremed/core";
import type { Catalogue } from "@microremed/registry";
import { type Matrix, matrixOf, type Plan, type PlannedCase, wantedOf } from "./plan.ts";

/** What problems are planned from. */
export type ProblemsFrom = Pick<Catalogue, "faults" | "noises" | "environments" | "problems"> &
  Partial<Pick<Catalogue, "agents" | "tasks">>;

type Asked = Pick<ExperimentRequest, "seed" | "cases"> &
  Partial<Pick<ExperimentRequest, "problems" | "task">>;

/** Most of a suite's lacks that one message names. */
const mostLacks = 5;

/**
 * The problems that a request names: of a suite those that can be run here, of a list all. Throws `unknown-problem`, and
 * `invalid-request` that says what is missing, where one of a list, or every one of a suite, cannot be run.
 */
export function problemsOf(
  { problems: plan = [] }: Asked,
  { problems }: Pick<ProblemsFrom, "problems">,
): Problem[] {
  if (typeof plan !== "string") {
    const named = plan.map(problems.get);
    const lacking = named.filter(({ missing }) => missing.length > 0);
    if (lacking.length === 0) return named;
    const why = lacking.slice(0, mostLacks).map(({ id, missing }) => `${id} lacks ${missing.join(", ")}`);
    const more = lacking.length > mostLacks ? [`and ${lacking.length - mostLacks} more`] : [];
    throw terminal("invalid-request", `cannot be run here: ${[...why, ...more].join("; ")}`);
  }
  // As records of before have it.
  const suite = problems.of(plan.includes("@") ? plan : `${plan}@1`);
  const possible = suite.filter(({ missing }) => missing.length === 0);
  if (possible.length > 0) return possible;
  const lacks = [...new Set(suite.flatMap(({ missing }) => missing))];
  const shown = lacks.slice(0, mostLacks).join(", ");
  const more = lacks.length > mostLacks ? ` and ${lacks.length - mostLacks} more` : "";
  throw terminal(
    "invalid-request",
    `none of the ${suite.length} problems of ${plan} can be run here; they lack ${shown}${more}`,
  );
}

/** What is asked in the episodes of a request that names problems, each once. Throws as `problemsOf` does. */
export function tasksOfProblems(request: Asked, from: Pick<ProblemsFrom, "problems">): string[] {
  return [...new Set(askedOf(request, from).map(({ task }) => task))];
}

/**
 * Each problem at each of its tasks, or at those of them that the request names, with every method and model, as often as
 * the request asks for. Throws as `problemsOf` does, and where no problem has a task of the request.
 */
export function planProblems(request: Asked & Matrix, from: ProblemsFrom): Plan {
  const asked = askedOf(request, from);
  const at = (number: number): PlannedCase => {
    const one = asked[number];
    if (one === undefined) throw new RangeError(`there is no case ${number}`);
    return caseOf(one.problem, one.task, request.seed, from);
  };
  // One task a case: it is the case's own.
  const taskAt = (number: number): string => asked[number]?.task ?? "";
  return matrixOf(request, [""], wantedOf(request, { count: asked.length, at, taskAt }), from);
}

interface AskedProblem {
  readonly problem: Problem;
  readonly task: string;
}

function askedOf(request: Asked, from: Pick<ProblemsFrom, "problems">): AskedProblem[] {
  const problems = problemsOf(request, from);
  const { task: wanted } = request;
  const asked = problems.flatMap((problem) =>
    problem.tasks
      .filter((task) => wanted === undefined || wanted.includes(task))
      .map((task) => ({ problem, task })),
  );
  if (asked.length > 0) return asked;
  const tasks = oneOf([...new Set(problems.flatMap((problem) => problem.tasks))]);
  throw terminal(
    "invalid-request",
    `none of the problems has the task ${wanted?.join(", ")}; they have ${tasks}`,
  );
}

function caseOf(problem: Problem, task: string, seed: number, from: ProblemsFrom): PlannedCase {
  const [first] = problem.incident;
  const { fault: failure, target } = first ?? { fault: noFailure, target: quietTarget(problem, from) };
  return {
    failure,
    target,
    alternatives: [],
    caseId: problemCaseId({ seed, id: problem.id }),
    problem: plannedProblem(problem, seed, from),
    task,
  };
}

function plannedProblem(asked: Problem, seed: number, from: ProblemsFrom): PlannedProblem {
  const problem = from.problems.at(asked, seed);
  const { id, environment, information, limits, watch } = problem;
  const noise = problem.noise.map(
    ({ noise: name, target = "", parameters, ago }): PlannedNoise => ({
      ...{ noise: name, target, ago },
      ...(parameters && { parameters }),
    }),
  );
  const [first, ...others] = problem.incident;
  const flapOf = ({ flap }: Problem["incident"][number]): Pick<PlannedProblem, "flap"> =>
    flap ? { flap: flap as Flap } : {};
  const further = others.map((one) => ({
    failure: one.fault,
    target: one.target,
    ...(one.parameters && { parameters: one.parameters }),
    at: one.at,
    ...(one.after !== undefined && { after: one.after }),
    ...flapOf(one),
  }));
  const hasLimits = Object.keys(limits).length > 0;
  return {
    id,
    environment,
    ...(first?.parameters && { parameters: first.parameters }),
    ...(first && flapOf(first)),
    ...(further.length > 0 && { further }),
    ...(noise.length > 0 && { noise }),
    ...(problem.askedAfter !== undefined && { askedAfter: problem.askedAfter }),
    ...(problem.workload && { workload: problem.workload }),
    ...information,
    ...(hasLimits && { limits }),
    ...(watch && { watch }),
  };
}

/** Where nothing is wrong, one workload is measured all the same: always the same one of a problem. */
function quietTarget({ id, environment }: Problem, { faults, environments }: ProblemsFrom): string {
  const targets = faults.get(noFailure).targets(environments.get(environment)).map(targetText);
  return createRng(0, `target of ${id}`).pick(targets);
}
