import type { ExperimentRequest, RequestIssue, TokenRecord } from "@microremed/contracts";
import { AppError, likelyNames } from "@microremed/core";
import { isSequence, planRequest } from "@microremed/planner";
import type { Catalogue } from "@microremed/registry";
import { wrongRequest } from "../routes/submit-to.ts";
import type { SessionRequest } from "./session-request.ts";

/** What of the catalogue says whether a session's problems are there. */
export type KnownProblems = Pick<
  Catalogue,
  "faults" | "noises" | "suites" | "environments" | "problems" | "tasks" | "agents"
>;

/**
 * How many episodes the experiment of a session will have. Throws `invalid-request` that names the fields that were sent; an agent
 * learns no more than it has asked for: no names of faults, and not what a problem lacks.
 */
export function planWanted(
  asked: SessionRequest,
  wanted: ExperimentRequest,
  { scope }: Pick<TokenRecord, "scope">,
  catalogue: KnownProblems,
): number {
  const issues = unknownNames(asked, wanted, catalogue);
  if (issues.length > 0) throw wrongRequest(issues);
  try {
    return planRequest(wanted, { catalogue }).total;
  } catch (thrown) {
    const path = asked.problem === undefined ? "suite" : "problem";
    const withTask = asked.task === undefined ? "" : " with this task";
    const forAgents = `there is nothing in it${withTask} that can be run here`;
    throw wrongRequest([{ path, message: scope === "agent" ? forAgents : AppError.from(thrown).message }]);
  }
}

/** Fields with names that are not known. */
function unknownNames(
  { suite, problem, task, environment }: SessionRequest,
  { failures }: ExperimentRequest,
  catalogue: KnownProblems,
): RequestIssue[] {
  const { problems, environments, tasks } = catalogue;
  const unknown = (path: string, name: string, known: readonly string[], noun: string): RequestIssue[] =>
    known.includes(name)
      ? []
      : [{ path, message: `there is no ${noun} ${quoted(name)}; ${likelyNames(name, known)}` }];
  const ids = [problem ?? []].flat();
  const at = (field: string, value: unknown, i: number): string =>
    Array.isArray(value) ? `${field}.${i}` : field;
  const isCases = suite !== undefined && !problems.suites.includes(suite);
  return [
    ...(isCases && !isSequence(String(failures), catalogue)
      ? unknown("suite", suite, suitesOf(catalogue), "suite")
      : []),
    ...ids.flatMap((id, i): RequestIssue[] =>
      problems.has(id)
        ? []
        : [{ path: at("problem", problem, i), message: `there is no problem ${quoted(id)}` }],
    ),
    ...[task ?? []].flat().flatMap((name, i) => unknown(at("task", task, i), name, tasks.names, "task")),
    ...(environment === undefined
      ? []
      : isCases
        ? unknown("environment", environment, environments.names, "environment")
        : [{ path: "environment", message: "leave it out: the problems say it" }]),
  ].slice(0, mostIssues);
}

const mostIssues = 100;
const quoted = (name: string): string => JSON.stringify(name.slice(0, 200));

/** All that may be asked for; failures are none, and what is drawn from is none that is run. */
const suitesOf = ({ problems, suites }: KnownProblems): string[] => {
  const ofFaults = suites.all().filter(({ cases }) => cases.length > 0);
  return [...problems.suites, ...ofFaults.map(({ name }) => name)];
};
