import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { Physics, Route, Station } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";
import { createRequestCounter, type Flow, type RequestCounter } from "./request-counter.ts";
import { type Call, type Instruments, requestExposition } from "./request-exposition.ts";

/** Where OpenTelemetry's exporter for Prometheus listens in every instrumented program. */
export const exporterPort = 9464;

/** Bytes of a request and of its answer on the wire, as the network's model has them. */
const requestBytes = 1000;
const replyBytes = 4000;

/** The histograms that instrumented programs keep about their requests. Disposing it stops counting. */
export interface RequestMetrics extends Disposable {
  /** The metrics that the pod's program serves to a scraper; undefined when it is not instrumented. */
  exposition(sandbox: PodSandbox): string | undefined;
  /** Pods whose program is instrumented. */
  pods(): readonly PodSandbox[];
  /** Bytes that a pod received and sent with its requests. */
  traffic(sandbox: PodSandbox): { readonly received: number; readonly sent: number };
}

/** The counters of flows that have not changed for `seconds` that are in none of them yet. */
interface Steady {
  revision: number;
  counters: readonly RequestCounter[];
  seconds: number;
}

const tickMs = 1000;
/** Counts the requests of every program in the names of OpenTelemetry's semantic conventions. */
export function createRequestMetrics(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly physics: Pick<Physics, "stations" | "revision">;
}): RequestMetrics {
  const { loop, machine, physics } = deps;
  const programs = loop.keep(new Map<ContainerRuntime, Instruments>());
  const steady = loop.keep<Steady>({ revision: -1, counters: [], seconds: 0 });

  function instrumentsOf(station: Station): Instruments {
    const known = programs.get(station.container);
    if (known) return known;
    const fresh: Instruments = {
      sandbox: station.sandbox,
      station: { namespace: station.namespace, program: station.program },
      server: createRequestCounter(loop),
      calls: loop.keep(new Map()),
    };
    programs.set(station.container, fresh);
    return fresh;
  }

  function callOf({ calls }: Instruments, route: Route): Call {
    const { operation } = route.call;
    const key = operation === undefined ? route.address : `${route.address} ${operation}`;
    const known = calls.get(key);
    if (known) return known;
    const colon = route.address.lastIndexOf(":");
    const fresh: Call = {
      counter: createRequestCounter(loop),
      protocol: route.call.protocol,
      operation,
      address: route.address.slice(0, colon),
      port: route.address.slice(colon + 1),
    };
    calls.set(key, fresh);
    return fresh;
  }

  function countFlows(seconds: number): readonly RequestCounter[] {
    const counters: RequestCounter[] = [];
    const add = (counter: RequestCounter, flow: Flow): void => {
      counter.add(flow, seconds);
      counters.push(counter);
    };
    for (const station of physics.stations()) {
      const instruments = instrumentsOf(station);
      add(instruments.server, { rate: station.served, success: station.success, latency: station.latency });
      for (const route of station.routes)
        add(callOf(instruments, route).counter, { rate: route.rate, ...route.attempt });
    }
    return counters;
  }

  function forgetEnded(): void {
    const stations = physics.stations();
    if (programs.size <= stations.length) return;
    const running = new Set(stations.map(({ container }) => container));
    for (const container of programs.keys()) if (!running.has(container)) programs.delete(container);
  }

  function settle(): void {
    for (const counter of steady.seconds > 0 ? steady.counters : []) counter.goOn(steady.seconds);
    steady.seconds = 0;
  }

  const stop = loop.every(tickMs, "request metrics", () => {
    const seconds = tickMs / 1000;
    if (physics.revision === steady.revision) {
      steady.seconds += seconds;
      return;
    }
    settle();
    steady.counters = countFlows(seconds);
    steady.revision = physics.revision;
    forgetEnded();
  });

  function instrumented(sandbox: PodSandbox): Instruments | undefined {
    settle();
    for (const container of sandbox.containers.values()) {
      const found = programs.get(container);
      if (found) return found;
    }
    return undefined;
  }

  function exposition(sandbox: PodSandbox): string | undefined {
    const found = instrumented(sandbox);
    return found && machine.sandboxes.has(sandbox.uid) ? requestExposition(found) : undefined;
  }

  return {
    exposition,
    pods: () => [...programs.values()].map(({ sandbox }) => sandbox),
    traffic(sandbox) {
      const found = instrumented(sandbox);
      if (!found) return { received: 0, sent: 0 };
      const served = found.server.total();
      const made = [...found.calls.values()].reduce((sum, { counter }) => sum + counter.total(), 0);
      return {
        received: served * requestBytes + made * replyBytes,
        sent: served * replyBytes + made * requestBytes,
      };
    },
    [Symbol.dispose]: stop,
  };
}
