import type { Environment } from "../environment/environment.types.ts";
import type { CallSpec } from "../environment/format.ts";
import { servicesOver } from "../environment/selectors.ts";
import { entryPlan } from "./entry.ts";

/** As many requests as to the entry, with the same errors: 33, of which 3 may go wrong. */
export const reachPlan = entryPlan;

/** A way that requests take, on which the judge sends its own. */
export interface ReachPath {
  /** The workload from whose pod they are sent; null: from the harness's prober, outside of the arena. */
  readonly from: string | null;
  readonly host: string;
  readonly port: number;
  /** `http`: any answer but an error of the server counts; `tcp`: a connection. */
  readonly how: "http" | "tcp";
}

/** What came of the requests on a way. */
export interface ReachReading {
  readonly path: ReachPath;
  /** Null: they could not be made: there is no pod to send them from, or no client in it. */
  readonly answered: number | null;
}

/** More ways than that are not asked in one check; the nearest come first. */
const mostPaths = 40;

/** `frontend -> cartservice:7070`, or `prober -> ...`. */
export function reachText({ from, host, port }: ReachPath): string {
  return `${from ?? "prober"} -> ${host}:${port}`;
}

/**
 * The ways around a workload, along the environment's call graph: from its callers to it, from it to what it calls, and
 * to every TCP port of the Services of itself, its callers and what it calls.
 */
export function reachPaths(environment: Environment, target: string): ReachPath[] {
  const { workloads } = environment;
  const callsOf = (name: string): readonly CallSpec[] => workloads[name]?.calls ?? [];
  const callers = Object.keys(workloads).filter((name) => callsOf(name).some(({ to }) => to === target));
  const called = callsOf(target).map(({ to }) => to);
  const calls = [
    ...callers.flatMap((name) =>
      callsOf(name).flatMap((call) => (call.to === target ? pathOf(name, call) : [])),
    ),
    ...callsOf(target).flatMap((call) => pathOf(target, call)),
  ];
  const around = [...new Set([target, ...callers, ...called])];
  const services = around.flatMap((name) => servicePaths(environment, name));
  const unique = new Map([...calls, ...services].map((path) => [reachText(path), path]));
  return [...unique.values()].slice(0, mostPaths);
}

function pathOf(from: string, { address, protocol }: CallSpec): ReachPath[] {
  const [host = "", port = ""] = address.split(":");
  return host === "" || !Number.isInteger(Number(port))
    ? []
    : [{ from, host, port: Number(port), how: protocol === "http" ? "http" : "tcp" }];
}

function servicePaths(environment: Environment, name: string): ReachPath[] {
  return servicesOver(environment, name).flatMap(([host, { ports }]) =>
    ports
      .filter(({ protocol = "TCP" }) => protocol === "TCP")
      .map(({ port }): ReachPath => ({ from: null, host, port, how: isHttp(environment, host, port) })),
  );
}

/** As the callers speak to it. */
function isHttp({ workloads, load }: Environment, host: string, port: number): "http" | "tcp" {
  const address = `${host}:${port}`;
  const calls = Object.values(workloads).flatMap((one) => one.calls);
  const isSpoken = calls.some((call) => call.address === address && call.protocol === "http");
  return isSpoken || load.entry === address ? "http" : "tcp";
}
