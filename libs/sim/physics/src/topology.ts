import {
  allLoads,
  barePath,
  type CallSpec,
  dialledAddress,
  type Environment,
  isMadeFor,
  type LoadSpec,
  loadRequests,
  pathsOfCall,
  workloadAtEntry,
} from "@microremed/environments";
import { type ContainerRuntime, lookupDelayMs, type Machine, type PodSandbox } from "@microremed/sim-machine";
import {
  backends,
  dnsFaultHits,
  type NetworkPolicies,
  outsideClient,
  type PolicyEnd,
  podAt,
  resolveHost,
  type ServiceDirectory,
} from "@microremed/sim-network";
import { type ActiveFlag, activeFlags, leakByFlags } from "./active-flags.ts";
import type { ConnectionPool } from "./connection-pool.ts";
import type { ContainerState, ContainerStates } from "./container-state.ts";
import { type Refusal, refusalOf, shareConnections } from "./datastore-calls.ts";
import { type Latency, noLatency } from "./latency.ts";
import type { Program, Programs } from "./programs.ts";

/** One of the pods that a call may go to. */
export interface Target {
  readonly sandbox: PodSandbox;
  readonly dialledIp: string;
  /** The port of the pod itself. */
  readonly port: number;
  /** Neither a NetworkPolicy nor kube-proxy drops the connection. */
  readonly admitted: boolean;
  /** The program at the port; undefined: nothing listens there. */
  readonly station: Station | undefined;
  /** What the datastore that it is refuses; undefined: nothing. */
  refusal?: Refusal | undefined;
}

/** A call as one running program makes it, with what came of it in the last tick. */
export interface Route {
  readonly call: CallSpec;
  readonly host: string;
  /** How long its name servers keep each new connection waiting, ms; a pooled one needs no name. */
  readonly lookupMs: number;
  /** host:port as dialled. */
  readonly address: string;
  readonly from: PodSandbox | "node";
  readonly fromName: string;
  readonly targets: readonly Target[];
  /** Feature flags that are on for the caller. */
  flags: readonly ActiveFlag[];
  /** Undefined: the caller has as many connections as it needs. */
  pool: ConnectionPool | undefined;
  /** Tries per second, retries included. */
  rate: number;
  /** Tries that a call takes on average. */
  tries: number;
  /** What one try came to; `success` and `latency` are those of the call with its retries. */
  attempt: { readonly success: number; readonly latency: Latency };
  /** Share of the calls that succeed, 0..1. */
  success: number;
  /** Of those, the share whose answer is right, 0..1. */
  truth: number;
  latency: Latency;
}

/** Requests of a program that make the same calls. */
export interface RequestKind {
  /** Without a query; undefined: all that it serves. */
  readonly path: string | undefined;
  /** Of all its requests, 0..1: usually, and now. */
  readonly usual: number;
  share: number;
  readonly routes: readonly Route[];
}

/** A running program that serves requests. */
export interface Station {
  readonly namespace: string;
  readonly program: Program;
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly state: ContainerState;
  routes: readonly Route[];
  /** What it serves, with the routes of each kind. */
  mix: readonly RequestKind[];
  /** Requests per second that it makes of its own accord: a load generator. */
  readonly ownRate: number;
  /** Feature flags that are on for it. */
  flags: readonly ActiveFlag[];
  /** Requests per second that it takes at most; infinite: no variable says so. */
  readonly admits: number;
  /** After this the last of its callers has given up, ms. */
  limitMs: number;
  /** Requests per second that arrive for the next tick, in this one, and are served. */
  arriving: number;
  offered: number;
  served: number;
  /** Of those that arrive, requests per second that end in an error because of a flag. */
  arrivingErrors: number;
  /** Share of the requests that end without an error, neither failed nor dropped from the queue, 0..1. */
  success: number;
  /** The same without the errors that flags make: which requests they hit is a matter of the call. */
  soundness: number;
  /** Of the answers without an error, the share that the program's calls leave right, 0..1. */
  truth: number;
  latency: Latency;
}

/** Load from outside the cluster. */
interface Outside {
  readonly namespace: string;
  readonly load: LoadSpec;
  readonly route: Route;
}

export interface Topology {
  /** Callers before callees. */
  readonly stations: readonly Station[];
  readonly outside: readonly Outside[];
}

const untried = {
  rate: 0,
  tries: 1,
  attempt: { success: 1, latency: noLatency },
  success: 1,
  truth: 1,
  latency: noLatency,
};

/** The timeout of callers outside of the environment, ms. */
const defaultLimitMs = 10_000;

export interface TopologyDeps {
  readonly machine: Machine;
  readonly directory: ServiceDirectory;
  readonly programs: Programs;
  readonly states: ContainerStates;
  readonly policies: NetworkPolicies;
}

/** What the limiter of a program lets through, by its variable. */
function admittedBy({ behaviour, env }: ContainerRuntime): number {
  const most = numberIn(env, behaviour?.admits);
  return most === undefined ? Number.POSITIVE_INFINITY : most;
}

/** A number above 0 in a variable; undefined: there is none. */
function numberIn(env: Readonly<Record<string, string>>, variable: string | undefined): number | undefined {
  const value = variable === undefined ? Number.NaN : Number(env[variable] ?? Number.NaN);
  return Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Tries of a call at most: who asks for more has mistyped. */
const mostAttempts = 100;

/** A call as variables make its caller try it. */
export function withPolicy(call: CallSpec, env: Readonly<Record<string, string>>): CallSpec {
  if (!call.policy) return call;
  const attempts = numberIn(env, call.policy.attempts);
  const timeoutMs = numberIn(env, call.policy.timeoutMs);
  const backoffMs = numberIn(env, call.policy.backoffMs);
  return {
    ...call,
    ...(attempts !== undefined && { retries: Math.min(mostAttempts, Math.max(1, Math.floor(attempts))) - 1 }),
    ...(timeoutMs !== undefined && { timeoutSeconds: timeoutMs / 1000 }),
    ...(backoffMs !== undefined && { retryBackoffMs: backoffMs }),
  };
}

/** Where programs run and which they call, from the current sandboxes and the services' selectors. */
export function buildTopology(deps: TopologyDeps): Topology {
  const stations = findStations(deps);
  const byContainer = new Map(stations.map((station) => [station.container, station]));
  const outside: Outside[] = [];
  const sending = new Set(stations.filter(({ ownRate }) => ownRate > 0).map(({ namespace }) => namespace));
  for (const [namespace, environment] of arenas(stations)) {
    if (environment.load.from === undefined && !sending.has(namespace)) {
      const route = routeOf(deps, byContainer, "node", "outside", namespace, entryCall(environment));
      outside.push({ namespace, load: environment.load, route });
    }
  }
  for (const station of stations) {
    const { sandbox, container, namespace, program } = station;
    station.routes = program.calls.map((spec) => {
      const call = { ...spec, paths: [...pathsOfCall(program.environment, program.workloadName, spec)] };
      return routeOf(deps, byContainer, sandbox, program.workloadName, namespace, call, container.env);
    });
    station.mix = mixOf(program, station.routes);
    station.flags = activeFlags(station);
    for (const route of station.routes) {
      route.flags = station.flags;
      const leak = leakByFlags(route);
      route.pool = leak && { ...leak, state: station.state };
    }
  }
  shareConnections(stations);
  for (const route of [...stations.flatMap(({ routes }) => routes), ...outside.map(({ route }) => route)]) {
    for (const { station } of route.targets) {
      if (station) station.limitMs = Math.max(station.limitMs, 1000 * route.call.timeoutSeconds);
    }
  }
  return { stations, outside };
}

function findStations({ machine, programs, states }: TopologyDeps): Station[] {
  const stations: Station[] = [];
  for (const sandbox of machine.sandboxes.values()) {
    for (const container of sandbox.containers.values()) {
      const program = programs.of(container.behaviour);
      if (!program?.main || container.init) continue;
      const { load } = program.environment;
      const generates = load.from === program.workloadName;
      stations.push({
        namespace: sandbox.namespace,
        program,
        sandbox,
        container,
        state: states.of(container),
        routes: [],
        mix: [],
        ownRate: generates ? load.requestsPerSecond / Math.max(1, program.replicas) : 0,
        flags: [],
        admits: admittedBy(container),
        limitMs: 0,
        arriving: 0,
        offered: 0,
        served: 0,
        arrivingErrors: 0,
        success: 1,
        soundness: 1,
        truth: 1,
        latency: noLatency,
      });
    }
  }
  return stations.sort(
    (a, b) => a.program.order - b.program.order || (a.sandbox.name < b.sandbox.name ? -1 : 1),
  );
}

/** Namespaces in which a system runs; each is loaded on its own. */
function arenas(stations: readonly Station[]): ReadonlyMap<string, Environment> {
  return new Map(stations.map(({ namespace, program }) => [namespace, program.environment]));
}

/** At the entry requests of each path make calls of their own; elsewhere all make the same. */
function mixOf({ environment, workloadName }: Program, routes: readonly Route[]): readonly RequestKind[] {
  if (!routes.some(({ call }) => call.onPaths)) return [{ path: undefined, usual: 1, share: 1, routes }];
  if (workloadAtEntry(environment) !== workloadName) return [{ path: undefined, usual: 1, share: 1, routes }];
  const own = loadRequests(environment.load);
  // Other loads may ask for further paths; usually none of them is asked for.
  const further = allLoads(environment.load)
    .flatMap(loadRequests)
    .map((one) => ({ ...one, share: 0 }));
  const byPath = Map.groupBy([...own, ...further], ({ path }) => barePath(path));
  return [...byPath].map(([path, requests]) => {
    const share = requests.reduce((sum, one) => sum + one.share, 0);
    return { path, usual: share, share, routes: routes.filter(({ call }) => isMadeFor(call, path)) };
  });
}

function entryCall(environment: Environment): CallSpec {
  const { load } = environment;
  return {
    to: workloadAtEntry(environment) ?? load.entry,
    address: load.entry,
    protocol: "http",
    discovery: "dns",
    paths: [...new Set(loadRequests(load).map(({ path }) => barePath(path)))],
    perRequest: 1,
    timeoutSeconds: defaultLimitMs / 1000,
    required: true,
  };
}

function routeOf(
  deps: TopologyDeps,
  stations: ReadonlyMap<ContainerRuntime, Station>,
  from: PodSandbox | "node",
  fromName: string,
  namespace: string,
  spec: CallSpec,
  env: Readonly<Record<string, string>> = {},
): Route {
  const call = withPolicy(spec, env);
  // A program that takes the address from a variable knows no other: without the variable it dials no host.
  const given = call.env === undefined ? call.address : (env[call.env] ?? "");
  const { host, port } = dialledAddress(given, call.address);
  const address = host === "" ? "" : `${host}:${port}`;
  const targets =
    address === ""
      ? []
      : call.discovery === "nacos"
        ? registered(deps, stations, from, namespace, call.to, port)
        : dialled(deps, stations, from, from === "node" ? `${host}.${namespace}` : host, port);
  if (from !== "node")
    for (const target of targets)
      if (target.station) target.refusal = refusalOf(deps.machine, call, given, env, from, target.station);
  const connects = call.protocol === "http" && call.discovery === "dns";
  const lookupMs = connects ? lookupDelayMs(from, host) : 0;
  return { call, host, lookupMs, address, from, fromName, targets, flags: [], pool: undefined, ...untried };
}

/** Instances in the registry: every one that runs, ready or not; callers dial its pod IP. */
function registered(
  { policies }: TopologyDeps,
  stations: ReadonlyMap<ContainerRuntime, Station>,
  from: PodSandbox | "node",
  namespace: string,
  workloadName: string,
  port: number,
): readonly Target[] {
  return [...stations.values()]
    .filter((station) => station.namespace === namespace && station.program.workloadName === workloadName)
    .map((station) => ({
      sandbox: station.sandbox,
      dialledIp: station.sandbox.ip,
      station,
      port,
      admitted: policies.admits(policyEnd(from), station.sandbox, { protocol: "TCP", port }),
    }));
}

function dialled(
  { machine, directory, policies }: TopologyDeps,
  stations: ReadonlyMap<ContainerRuntime, Station>,
  from: PodSandbox | "node",
  host: string,
  port: number,
): readonly Target[] {
  const dnsReachable = policies.admitsDns(policyEnd(from));
  const node = from === "node" ? undefined : from.nodeName;
  return resolveHost(directory, withoutDnsFault(from), host, dnsReachable).flatMap((dialledIp) =>
    (backends(directory, machine, dialledIp, port, node) ?? []).flatMap((backend) => {
      const sandbox = podAt(machine, backend.ip, backend.port);
      if (!sandbox) return [];
      const container = listenerOn(sandbox, backend.port, "pod");
      const station = container && stations.get(container);
      const admitted =
        !backend.isDropped &&
        policies.admits(policyEnd(from), sandbox, { protocol: "TCP", port: backend.port });
      return [{ sandbox, dialledIp, port: backend.port, station, admitted }];
    }),
  );
}

/** Load that enters from a node comes from a client outside the cluster. */
const policyEnd = (from: PodSandbox | "node"): PolicyEnd => (from === "node" ? outsideClient : from);

/** DNS faults come and go without the topology changing; `dnsFault` reads them in every tick. */
function withoutDnsFault(from: PodSandbox | "node"): PodSandbox | "node" {
  if (from === "node" || !from.dnsFault) return from;
  const { dnsFault: _, ...rest } = from;
  return rest;
}

/** New connections resolve the name again; pooled ones do not notice. */
export function dnsFault({ from, call, host }: Route): "error" | "random" | undefined {
  if (from === "node" || !from.dnsFault) return undefined;
  if (call.discovery === "nacos" || call.protocol !== "http") return undefined;
  return dnsFaultHits(from.dnsFault.patterns, host) ? from.dnsFault.action : undefined;
}

/** The container of a pod whose program serves a port at one of the pod's addresses. */
export function listenerOn(
  sandbox: PodSandbox,
  port: number,
  by: "pod" | "localhost",
): ContainerRuntime | undefined {
  let first: ContainerRuntime | undefined;
  for (const container of sandbox.containers.values()) {
    const { init, behaviour, boundTo = by } = container;
    if (init || boundTo !== by || !behaviour?.listens.includes(port)) continue;
    if (container.isListening) return container;
    first ??= container;
  }
  return first;
}
