import type { Environment } from "./environment/environment.types.ts";
import type { TargetSelector } from "./fault.ts";
import { type Place, targetOf } from "./target.ts";

/** Says why a workload is no target; undefined: it is one. */
export type WorkloadCheck = (place: Place, environment: Environment) => string | undefined;

/** The workloads that pass a check, in the environment's order. */
export function workloadsWhere(check: WorkloadCheck): Required<TargetSelector> {
  const ineligible = (environment: Environment, target: string): string | undefined => {
    const place = targetOf(environment, target);
    if (!place) return `${environment.name} has no workload ${JSON.stringify(target)}`;
    return check(place, environment);
  };
  return {
    ineligible,
    targets: (environment) =>
      Object.keys(environment.workloads)
        .filter((name) => ineligible(environment, name) === undefined)
        .map((name) => ({ kind: "workload", name })),
  };
}

/** The workloads that the environment offers for incidents; `check`: which of them. */
export function offeredWorkloads(check: WorkloadCheck = () => undefined): Required<TargetSelector> {
  return workloadsWhere((place, environment) =>
    environment.targets.includes(place.name)
      ? check(place, environment)
      : `${place.name} is not among the targets of ${environment.name}`,
  );
}

/** The Services of the environment over a workload that it offers for incidents. */
export function offeredServices(): Required<TargetSelector> {
  const ineligible = (environment: Environment, target: string): string | undefined => {
    const place = targetOf(environment, target);
    if (!target.startsWith("service/") || !place)
      return `${environment.name} has no ${target} with pods behind it`;
    if (environment.targets.includes(place.name)) return undefined;
    return `${place.name} is not among the targets of ${environment.name}`;
  };
  return {
    ineligible,
    targets: (environment) =>
      Object.keys(environment.services)
        .filter((name) => ineligible(environment, `service/${name}`) === undefined)
        .map((name) => ({ kind: "service", name })),
  };
}
