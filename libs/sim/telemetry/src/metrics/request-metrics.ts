import type { ContainerRuntime, Machine, PodSandbox } from "@microremed/sim-machine";
import type { Physics, Route, Station } from "@microremed/sim-physics";
import type { EventLoop } from "@microremed/sim-time";
import { createRequestCounter } from "./request-counter.ts";
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

const tickMs = 1000;
/** Counts the requests of every program in the names of OpenTelemetry's semantic conventions. */
export function createRequestMetrics(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly physics: Pick<Physics, "stations">;
}): RequestMetrics {
  const { loop, machine, physics } = deps;
  const programs = loop.keep(new Map<ContainerRuntime, Instruments>());

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
    const known = calls.get(route.address);
    if (known) return known;
    const colon = route.address.lastIndexOf(":");
    const fresh: Call = {
      counter: createRequestCounter(loop),
      protocol: route.call.protocol,
      address: route.address.slice(0, colon),
      port: route.address.slice(colon + 1),
    };
    calls.set(route.address, fresh);
    return fresh;
  }

  const stop = loop.every(tickMs, "request metrics", () => {
    const seconds = tickMs / 1000;
    const stations = physics.stations();
    for (const station of stations) {
      const instruments = instrumentsOf(station);
      const { served: rate, success, latency } = station;
      instruments.server.add({ rate, success, latency }, seconds);
      for (const route of station.routes)
        callOf(instruments, route).counter.add({ rate: route.rate, ...route.attempt }, seconds);
    }
    if (programs.size <= stations.length) return;
    const running = new Set(stations.map(({ container }) => container));
    for (const container of programs.keys()) if (!running.has(container)) programs.delete(container);
  });

  function instrumented(sandbox: PodSandbox): Instruments | undefined {
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
