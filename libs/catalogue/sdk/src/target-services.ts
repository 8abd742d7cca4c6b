import type { Environment, ServiceSpec } from "./environment/environment.types.ts";
import { servicesOver, workloadsBehind } from "./environment/selectors.ts";
import { serviceOfHost } from "./environment/service-of-host.ts";
import type { TruthContext } from "./fault.ts";
import { targetOf } from "./target.ts";
import { offeredWorkloads, type WorkloadCheck } from "./target-selectors.ts";

/** A Service by its name. */
export interface NamedService {
  readonly name: string;
  readonly spec: ServiceSpec;
}

/**
 * The Service with an address of its own by which others reach a target: one that a caller or the load dials before any
 * other. Undefined: there is none that leads to its pods alone.
 */
export function serviceOf({ environment, target }: TruthContext): NamedService | undefined {
  const place = targetOf(environment, target);
  return place && servicesOf(environment, place.name)[0];
}

function servicesOf(environment: Environment, workload: string): NamedService[] {
  const dialled = new Set(dialledServices(environment));
  const own = servicesOver(environment, workload).flatMap(([name, spec]) =>
    !spec.headless && workloadsBehind(environment, name).length === 1 ? [{ name, spec }] : [],
  );
  return own.toSorted((a, b) => Number(dialled.has(b.name)) - Number(dialled.has(a.name)));
}

function dialledServices(environment: Environment): (string | undefined)[] {
  const calls = Object.values(environment.workloads).flatMap((one) => one.calls);
  return [environment.load.entry, ...calls.map(({ address }) => address)].map((address) =>
    serviceOfHost(environment, address.split(":")[0] ?? ""),
  );
}

/** The offered workloads that others reach by a Service with an address of its own. */
export function offeredBehindServices(check: WorkloadCheck = () => undefined) {
  return offeredWorkloads((place, environment) =>
    serviceOf({ environment, target: place.name }) === undefined
      ? `no Service with an address of its own leads to ${place.name} alone`
      : check(place, environment),
  );
}
