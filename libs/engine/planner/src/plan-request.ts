import type { Environment } from "@microremed/catalogue";
import { type ExperimentRequest, type RequestIssue, tasksOf } from "@microremed/contracts";
import type { Catalogue } from "@microremed/registry";
import { parameterIssues } from "./parameter-issues.ts";
import { type Plan, planOf } from "./plan.ts";
import { planProblems, problemsOf, tasksOfProblems } from "./plan-problems.ts";
import { withoutCheck, withoutPublishedRule } from "./without-published-rule.ts";

/** What a request is planned from. `environment`: another one than the catalogue's of that name. */
export interface PlannedWith {
  readonly catalogue: Pick<Catalogue, "faults" | "noises" | "suites" | "environments" | "problems"> &
    Partial<Pick<Catalogue, "agents" | "tasks">>;
  readonly environment?: Environment | undefined;
}

/** The plan of a request, of problems or of failures. Throws as `planOf` and `planProblems` do. */
export function planRequest(request: ExperimentRequest, using: PlannedWith): Plan {
  if (request.problems !== undefined) return planProblems(request, using.catalogue);
  return planOf(request, environmentIn(request, using), using.catalogue);
}

/** What is asked in the episodes of a request, each once. Throws where its problems are not known or cannot be run. */
export function tasksIn(request: ExperimentRequest, { catalogue }: PlannedWith): readonly string[] {
  return request.problems === undefined ? tasksOf(request) : tasksOfProblems(request, catalogue);
}

/** Every wrong field of the parameters that a request sets; those of problems were checked when they were loaded. */
export function requestParameterIssues(
  request: ExperimentRequest,
  using: PlannedWith,
): readonly RequestIssue[] {
  if (request.problems !== undefined) return [];
  return parameterIssues(request, environmentIn(request, using), using.catalogue);
}

/** Why a request cannot ask for the published rules' verdict; undefined: it can, or does not. */
export function unpublishedIn(request: ExperimentRequest, using: PlannedWith): string | undefined {
  const { catalogue } = using;
  if (request.problems === undefined)
    return withoutPublishedRule(request, environmentIn(request, using), catalogue);
  const faults = problemsOf(request, catalogue).flatMap(({ incident }) => incident.map(({ fault }) => fault));
  return withoutCheck(request, [...new Set(faults)].map(catalogue.faults.get));
}

function environmentIn({ environment = "" }: ExperimentRequest, using: PlannedWith): Environment {
  return using.environment ?? using.catalogue.environments.get(environment);
}
