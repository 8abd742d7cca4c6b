import type { Environment } from "./environment/environment.types.ts";
import { callsPerRequest } from "./environment/load-requests.ts";
import { workloadAtEntry } from "./environment/selectors.ts";
import type { Place } from "./target.ts";

/** Callers behind one another at most. */
const deepest = 12;

/** Requests per second that the users' load brings to a workload, all its pods together. */
export function requestsPerSecond(environment: Environment, name: string): number {
  const { workloads, load } = environment;
  const entry = load.from ?? workloadAtEntry(environment) ?? "";
  let arriving = new Map([[entry, load.requestsPerSecond]]);
  let rate = 0;
  for (let depth = 0; depth < deepest && arriving.size > 0; depth++) {
    rate += arriving.get(name) ?? 0;
    const next = new Map<string, number>();
    for (const [from, perSecond] of arriving)
      for (const call of workloads[from]?.calls ?? [])
        next.set(call.to, (next.get(call.to) ?? 0) + perSecond * callsPerRequest(environment, from, call));
    arriving = next;
  }
  return rate;
}

/**
 * Whether the users' load reaches a workload often enough that its failures show. `leastPerRequest`: calls for each request of
 * a user; below the default hardly any user notices that they fail, but the calls themselves still do.
 */
export const isLoaded = (environment: Environment, name: string, leastPerRequest = 0.3): boolean =>
  requestsPerSecond(environment, name) >= leastPerRequest * environment.load.requestsPerSecond;

/** CPU that each pod of a workload needs for the users' load, millicores. */
export function neededMillis(environment: Environment, { name, workload, container }: Place): number {
  const perPod = requestsPerSecond(environment, name) / Math.max(1, workload.replicas);
  const { idleCpuMillicores, cpuMillisPerRequest } = container.behaviour;
  return idleCpuMillicores + perPod * cpuMillisPerRequest;
}
