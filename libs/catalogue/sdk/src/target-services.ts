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

/** Of each environment the Services alone over a workload: faults ask for them at each of its workloads, again and again. */
const known = new WeakMap<Environment, ReadonlyMap<string, NamedService[]>>();

function servicesOf(environment: Environment, workload: string): NamedService[] {
  const byWorkload = known.get(environment) ?? servicesByWorkload(environment);
  known.set(environment, byWorkload);
  return byWorkload.get(workload) ?? [];
}

/** By workload its Services with an address of their own and no other pods behind them, those that are dialled first. */
function servicesByWorkload(environment: Environment): ReadonlyMap<string, NamedService[]> {
  const dialled = dialledServices(environment);
  const own = (workload: string): NamedService[] =>
    servicesOver(environment, workload).flatMap(([name, spec]) =>
      !spec.headless && workloadsBehind(environment, name).length === 1 ? [{ name, spec }] : [],
    );
  const inOrder = (some: readonly NamedService[]): NamedService[] =>
    some.toSorted((a, b) => Number(dialled.has(b.name)) - Number(dialled.has(a.name)));
  return new Map(Object.keys(environment.workloads).map((name) => [name, inOrder(own(name))]));
}

function dialledServices(environment: Environment): ReadonlySet<string | undefined> {
  const calls = Object.values(environment.workloads).flatMap((one) => one.calls);
  const addresses = [environment.load.entry, ...calls.map(({ address }) => address)];
  return new Set(addresses.map((address) => serviceOfHost(environment, address.split(":")[0] ?? "")));
}

/** The offered workloads that others reach by a Service with an address of its own. */
export function offeredBehindServices(check: WorkloadCheck = () => undefined) {
  return offeredWorkloads((place, environment) =>
    serviceOf({ environment, target: place.name }) === undefined
      ? `no Service with an address of its own leads to ${place.name} alone`
      : check(place, environment),
  );
}
