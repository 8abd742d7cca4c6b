import type { Rng } from "@microremed/core";
import { barePath, type CallSpec, type LoadRequest, workloadAtEntry } from "@microremed/environments";
import {
  changedByFlags,
  errorsByFlags,
  hopOf,
  ioDelayMs,
  isUp,
  type Latency,
  type Route,
  type Station,
  usable,
} from "@microremed/sim-physics";
import { createDraws } from "./draws.ts";
import { createSpanList, type SpanEnd } from "./span-list.ts";
import type { Reporter, Span } from "./trace.types.ts";

/** A cycle of calls, or a page of very many, ends here. */
const maxSpans = 300;
const maxDepth = 16;
/** Share of a program's own time that passes before its calls. */
const workBefore = 0.7;
const refusedMs = 1;

/** Databases and brokers report no spans; the client's side of the call shows them. */
const reports = ({ protocol }: CallSpec): boolean => ["http", "grpc", "thrift"].includes(protocol);

type Asked = Pick<Span, "protocol" | "method" | "target">;

/** Who makes a call: the span in which it does, and what it is asked for itself. */
interface Caller {
  readonly reporter: Reporter;
  readonly parent: number;
  readonly asked: string;
}

const reporterOf = ({ program, namespace, sandbox }: Station): Reporter => ({
  service: program.workloadName,
  namespace,
  pod: sandbox.name,
  node: sandbox.nodeName,
});

/**
 * One request, drawn from what the last tick made of the programs and calls on its way: the same latencies and chances
 * of failure that the physics adds up. `start`: cluster time, ms. `request`: what a user asks the entry for.
 */
export function drawTrace(
  rng: Rng,
  entry: Station | Route,
  start: number,
  request: Pick<LoadRequest, "method" | "path"> = { method: "GET", path: "/" },
): readonly Span[] {
  const spans = createSpanList();
  const draws = createDraws(rng);
  const fromUser: Asked = { protocol: "http", method: request.method, target: barePath(request.path) };
  /** Whether a load generator's call is a request of users: it goes to the entry. */
  const isUsers = ({ call }: Route): boolean =>
    "routes" in entry && call.to === workloadAtEntry(entry.program.environment);

  /** A program's span around its own work and its calls. */
  function serve(
    station: Station,
    kind: "server" | "internal",
    asked: Asked,
    parent: number | undefined,
    at: number,
    depth: number,
    ownErrors = 0,
  ): SpanEnd {
    const reporter = reporterOf(station);
    const work = draws.latency(ownTime(station));
    const index = spans.open({ reporter, parent, kind, ...asked, address: undefined, start: at });
    const caller = { reporter, parent: index, asked: asked.target };
    let time = at + workBefore * work;
    let error: Span["error"];
    for (const route of draws.kind(station.mix, asked.target).routes) {
      for (let left = draws.times(route.call); left > 0 && !error; left -= 1) {
        const answer = call(route, caller, time + changedByFlags(route).delayMs, depth);
        time = answer.end;
        if (answer.error && route.call.required) error = "failed";
      }
    }
    time += (1 - workBefore) * work;
    if (rng.float() < station.state.dropped) error = "failed";
    if (ownErrors > 0 && rng.float() < ownErrors) error = "failed";
    return spans.close(index, { end: time, error });
  }

  /** A call with its retries. */
  function call(route: Route, caller: Caller, at: number, depth: number): SpanEnd {
    const { retries = 0, retryBackoffMs = 0 } = route.call;
    let answer = attempt(route, caller, at, depth);
    for (let tries = 0; answer.error && tries < retries; tries += 1)
      answer = attempt(route, caller, answer.end + retryBackoffMs, depth);
    return answer;
  }

  function attempt(route: Route, caller: Caller, at: number, depth: number): SpanEnd {
    if (spans.count >= maxSpans || depth >= maxDepth) return { end: at, error: undefined };
    const { protocol } = route.call;
    const asked =
      depth === 0 && isUsers(route) ? fromUser : { protocol, target: draws.target(route.call, caller.asked) };
    const { address } = route;
    const { reporter, parent } = caller;
    const index = spans.open({ reporter, parent, kind: "client", ...asked, address, start: at });
    return spans.close(index, reach(route, asked, index, at, depth));
  }

  function reach(route: Route, asked: Asked, client: number | undefined, at: number, depth: number): SpanEnd {
    const limit = 1000 * route.call.timeoutSeconds;
    const gaveUp: SpanEnd = { end: at + limit, error: "timeout" };
    const targets = usable(route);
    if (targets.length === 0) {
      const waits = route.attempt.latency.fixed >= limit;
      return waits ? gaveUp : { end: at + refusedMs, error: "refused" };
    }
    const { astray } = changedByFlags(route);
    if (astray > 0 && rng.float() < astray) return { end: at + refusedMs, error: "refused" };
    const target = rng.pick(targets);
    if (!target.admitted) return gaveUp;
    const { network, carried, cutShare, delay } = hopOf(route, target);
    const way = draws.latency(network);
    if (way > limit || rng.float() >= carried) return gaveUp;
    const { station } = target;
    if (!station || !isUp(station.container)) return { end: at + way, error: "refused" };
    const arrival = at + way / 2 + draws.latency(delay);
    const served = reports(route.call)
      ? serve(station, "server", asked, client, arrival, depth + 1, errorsByFlags(station, route.call))
      : unreported(station, arrival);
    const end = served.end + way / 2;
    if (end - at > limit) return gaveUp;
    return { end, error: served.error || rng.float() < cutShare ? "failed" : undefined };
  }

  function unreported(station: Station, at: number): SpanEnd {
    return {
      end: at + draws.latency(station.latency),
      error: rng.float() < station.success ? undefined : "failed",
    };
  }

  if ("routes" in entry) serve(entry, "internal", { protocol: "http", target: "/" }, undefined, start, 0);
  else reach(entry, fromUser, undefined, start, 0);
  return spans.all();
}

/** What is left of a program's latency without its calls: waiting, work and slow disks. */
function ownTime({ latency, state, container }: Station): Latency {
  const io = ioDelayMs(container);
  const fixed = Math.max(0, latency.fixed - state.calls.fixed);
  return { fixed, mean: Math.max(fixed, latency.mean - state.calls.mean + io) };
}
