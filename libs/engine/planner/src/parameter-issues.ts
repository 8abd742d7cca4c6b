import type { Environment, Fault } from "@microremed/catalogue";
import {
  type ExperimentRequest,
  type FaultParameters,
  type RequestIssue,
  wrongValues,
} from "@microremed/contracts";
import { AppError, oneOf } from "@microremed/core";
import { type PlannedFrom, plannedFaults } from "./plan.ts";

/** Every wrong field of the parameters that a request sets; empty when none is. */
export function parameterIssues(
  request: Pick<ExperimentRequest, "failures" | "seed" | "cases" | "target" | "parameters">,
  environment: Environment,
  catalogue: PlannedFrom,
): RequestIssue[] {
  const given = Object.entries(request.parameters ?? {});
  if (given.length === 0) return [];
  const planned = new Map(plannedFaults(request, environment, catalogue).map((fault) => [fault.name, fault]));
  return given.flatMap(([name, values]) => {
    const path = `parameters.${name}`;
    const fault = planned.get(name);
    if (fault) return issuesOf(path, fault, values);
    const known = oneOf([...planned.keys()]);
    return [{ path, message: `no case of this request has this failure; its failures: ${known}` }];
  });
}

function issuesOf(path: string, { parameters }: Fault, values: FaultParameters): RequestIssue[] {
  const known = Object.keys(parameters.shape);
  const expected = known.length === 0 ? "it has no parameters" : `expected ${oneOf(known)}`;
  const unknown = Object.keys(values)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: `${path}.${name}`, message: `there is no such parameter; ${expected}` }));
  return [...unknown, ...wrongOnes(path, parameters, values)];
}

/** The schema may be a user's own code. */
function wrongOnes(path: string, parameters: Fault["parameters"], values: FaultParameters): RequestIssue[] {
  try {
    const read = parameters.safeParse(values);
    if (read.success) return [];
    return wrongValues(read.error)
      .filter(({ field }) => field === "" || Object.hasOwn(parameters.shape, field.split(/[.[]/)[0] ?? ""))
      .map(({ field, expected }) => ({
        path: [path, field].filter(Boolean).join("."),
        message: `expected ${expected}`,
      }));
  } catch (thrown) {
    return [{ path, message: `cannot be read: ${AppError.from(thrown).message}` }];
  }
}
