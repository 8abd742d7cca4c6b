import type { Environment } from "./environment.types.ts";
import { callsPerRequest } from "./load-requests.ts";

/** How often a request to a workload leads to one to each of its callees. */
type Edges = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Growth by less than this in a whole stretch of rounds is none. */
const shrinking = 0.999;
const leastRounds = 64;

/**
 * A loop of calls in which requests lead to as many further ones, or more, so that none is ever answered: the names on it, the first
 * one again at its end. Undefined: there is none. A workload may be called back, or call itself, for a share of its requests.
 */
export function endlessCalls(environment: Environment): readonly string[] | undefined {
  const edges: Edges = new Map(
    Object.keys(environment.workloads).map((name) => [name, calleesOf(environment, name)]),
  );
  // Longer than any loop, so that where in a loop its requests are makes no difference.
  const stretch = Math.max(leastRounds, edges.size);
  let requests = new Map([...edges.keys()].map((name) => [name, 1]));
  const most = [0, 0, 0];
  for (let round = 0; round < most.length * stretch; round++) {
    requests = nextRound(requests, edges);
    const at = Math.floor(round / stretch);
    most[at] = Math.max(most[at] ?? 0, sizeOf(requests));
  }
  const [, before = 0, after = 0] = most;
  return after === 0 || after < before * shrinking ? undefined : loopIn(edges);
}

/** What a consumer reads from a topic is no request. */
function calleesOf(environment: Environment, from: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const call of environment.workloads[from]?.calls ?? []) {
    const perRequest = call.reads ? 0 : callsPerRequest(environment, from, call);
    if (perRequest > 0) times.set(call.to, (times.get(call.to) ?? 0) + perRequest);
  }
  return times;
}

const sizeOf = (requests: ReadonlyMap<string, number>): number =>
  requests.values().reduce((sum, one) => sum + one, 0);

const largest = 1e200;

/** The requests that requests lead to. */
function nextRound(requests: ReadonlyMap<string, number>, edges: Edges): Map<string, number> {
  const next = new Map<string, number>();
  for (const [from, count] of requests)
    for (const [to, times] of edges.get(from) ?? [])
      next.set(to, Math.min(largest, (next.get(to) ?? 0) + count * times));
  return next;
}

/** A loop in the calls, the most frequent ones first. */
function loopIn(edges: Edges): readonly string[] | undefined {
  const done = new Set<string>();
  function from(name: string, path: readonly string[]): readonly string[] | undefined {
    const at = path.indexOf(name);
    if (at >= 0) return [...path.slice(at), name];
    if (done.has(name)) return undefined;
    done.add(name);
    const callees = [...(edges.get(name) ?? [])].toSorted(([, a], [, b]) => b - a);
    for (const [callee] of callees) {
      const found = from(callee, [...path, name]);
      if (found) return found;
    }
    return undefined;
  }
  for (const name of edges.keys()) {
    const found = from(name, []);
    if (found) return found;
  }
  return undefined;
}
