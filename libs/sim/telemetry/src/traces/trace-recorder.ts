import type { Rng } from "@microremed/core";
import { type LoadRequest, type LoadSpec, loadRequests } from "@microremed/environments";
import { floodOf, type Physics, type Route, type Station } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";
import { drawTrace } from "./draw-trace.ts";
import { pickByShare } from "./draws.ts";
import type { Trace } from "./trace.types.ts";

/** A rate-limiting sampler: one request of each system in this time is traced, ms of cluster time. */
const sampleEveryMs = 2000;
/** The newest of each namespace: ten minutes. */
const maxTraces = 300;
const maxNamespaces = 64;

/** Samples requests as traces. Disposing it stops sampling. */
export interface TraceRecorder extends Disposable {
  /** Newest first; of all namespaces together when none is named. */
  traces(namespace: string | undefined): readonly Trace[];
}

/** Where requests begin, and of what mix they are. */
interface Entry {
  readonly at: Station | Route;
  readonly load: LoadSpec;
}

interface Ring {
  readonly traces: Trace[];
  next: number;
}

/** Traces requests of every system that has any, a few a minute, and keeps the newest. */
export function createTraceRecorder(deps: {
  readonly loop: EventLoop;
  readonly rng: Rng;
  readonly physics: Pick<Physics, "stations" | "outside" | "users">;
}): TraceRecorder {
  const { loop, rng, physics } = deps;
  const rings = loop.keep(new Map<string, Ring>());

  function ringOf(namespace: string): Ring {
    const known = rings.get(namespace);
    if (known) return known;
    const fresh = loop.keep<Ring>({ traces: loop.keep([]), next: 0 });
    rings.set(namespace, fresh);
    const [oldest] = rings.keys();
    if (rings.size > maxNamespaces && oldest !== undefined) rings.delete(oldest);
    return fresh;
  }

  /** Where requests begin: outside the cluster, or at a load generator in it. */
  function entries(): Map<string, Entry[]> {
    const found = new Map<string, Entry[]>();
    const add = (namespace: string, entry: Entry, rate: number): void => {
      if (rate > 0) found.set(namespace, [...(found.get(namespace) ?? []), entry]);
    };
    for (const { namespace, route, load } of physics.outside())
      add(namespace, { at: route, load }, route.rate);
    for (const station of physics.stations())
      if (station.ownRate > 0)
        add(station.namespace, { at: station, load: station.program.environment.load }, station.served);
    return found;
  }

  function sample(): void {
    for (const [namespace, choice] of entries()) {
      const start = loop.now() - rng.int(sampleEveryMs);
      const id = Array.from({ length: 4 }, () =>
        rng
          .int(2 ** 31)
          .toString(16)
          .padStart(8, "0"),
      ).join("");
      const { at, load } = rng.pick(choice);
      const spans = drawTrace(
        rng,
        at,
        start,
        flooded(rng, at) ?? pickByShare(rng, loadRequests(physics.users.current(load, namespace))),
      );
      if (spans.length === 0) continue;
      const ring = ringOf(namespace);
      ring.traces[ring.next] = { id, spans };
      ring.next = (ring.next + 1) % maxTraces;
    }
  }

  return {
    traces(namespace) {
      const wanted = [...rings].filter(([name]) => namespace === undefined || name === namespace);
      const all = wanted.flatMap(([, ring]) => ring.traces);
      return all.sort((a, b) => (b.spans[0]?.start ?? 0) - (a.spans[0]?.start ?? 0));
    },
    [Symbol.dispose]: loop.every(sampleEveryMs, "traces", sample),
  };
}

/** A request that a load generator sends besides its usual ones, as often as it does; undefined: it sends a usual one. */
function flooded(rng: Rng, at: Station | Route): Pick<LoadRequest, "method" | "path"> | undefined {
  const flood = "routes" in at ? [...floodOf(at)] : [];
  if (!("routes" in at) || flood.length === 0) return undefined;
  const whole = flood.reduce((sum, [, rate]) => sum + rate, at.ownRate);
  let left = rng.float() * whole;
  for (const [path, rate] of flood) {
    left -= rate;
    if (left < 0) return { method: "GET", path };
  }
  return undefined;
}
