import { createRng, type Rng } from "@microremed/core";
import {
  type ContainerRuntime,
  datastoreMark,
  type FileTree,
  type Machine,
  nodeMemory,
  nodeOwn,
  type PodSandbox,
} from "@microremed/sim-machine";
import type { NetworkPolicies, ServiceDirectory } from "@microremed/sim-network";
import type { EventLoop } from "@microremed/sim-time";
import { addedByFlags, errorByFlags, grownMemory, isUnwell } from "./active-flags.ts";
import { keepConnections, poolError } from "./connection-pool.ts";
import { type ContainerStates, createContainerStates, isUp } from "./container-state.ts";
import { type Latency, percentile95 } from "./latency.ts";
import { createLeaderElection } from "./leader-election.ts";
import type { LoadProfile } from "./load-profile.ts";
import { moveMessages } from "./messages.ts";
import type { Programs } from "./programs.ts";
import { createRequestFlow } from "./request-flow.ts";
import { buildTopology, type Route, type Station, type Topology } from "./topology.ts";
import { requestDemand, requestsInside } from "./traffic.ts";
import { keepToMemory, type Load, runNode, settleMemory } from "./usage.ts";
import { createUsers, type Users } from "./users.ts";

export interface PhysicsDeps {
  readonly machine: Machine;
  readonly loop: EventLoop;
  readonly directory: ServiceDirectory;
  readonly programs: Programs;
  readonly policies: NetworkPolicies;
  /** How the load varies; default: not at all. */
  readonly profile?: LoadProfile;
  /** Name of the load that takes the place of a system's own; default: none does. */
  readonly loadNameOf?: (namespace: string) => string | undefined;
  /** Of what users do; default: the same in every cluster. */
  readonly rng?: Rng;
  /** Cores of a node. */
  readonly nodeCores: (nodeName: string) => number;
  /** Merges labels into a pod at the API server, for programs that do so with their pod's account. */
  readonly labelPod: (namespace: string, name: string, labels: Readonly<Record<string, string>>) => void;
}

/** Requests as the last tick saw them. */
interface RequestStats {
  readonly requestsPerSecond: number;
  /** 0..1; of the requests that would be made now if there are none. */
  readonly successRatio: number;
  readonly latencyMs: number;
  readonly latencyP95Ms: number;
}

interface EdgeStats extends RequestStats {
  /** Workload, or `outside`. */
  readonly from: string;
  readonly to: string;
  /** Why calls are refused, and the pod whose program says so; absent: none is. */
  readonly refusal?: { readonly message: string; readonly pod: string };
}

interface ServiceStats extends RequestStats {
  readonly workload: string;
  readonly pod: string;
  readonly latency: Latency;
  /** Share of its CPU in use by requests, 0..1. */
  readonly utilisation: number;
}

/**
 * The requests of all environments and what they cost: latency, failures, CPU, memory. Disposing it stops its tick.
 */
export interface Physics extends Disposable {
  /** Moves everything to the present. Runs by itself every second of cluster time. */
  tick(): void;
  edges(namespace: string): readonly EdgeStats[];
  services(namespace: string): readonly ServiceStats[];
  /** Every program that serves requests, with what the last tick made of it. */
  stations(): readonly Station[];
  /** Requests that enter the systems from outside the cluster. */
  outside(): Topology["outside"];
  /** Grows when the stations or what is known of their requests may have changed. */
  readonly revision: number;
  readonly states: ContainerStates;
  readonly users: Pick<Users, "current" | "tally">;
}

interface Present {
  lastTick: number;
  running: readonly ContainerRuntime[];
  hosts: readonly PodSandbox["hosts"][];
  /** What the containers' datastores hold, one after the other. */
  stores: readonly (object | undefined)[];
  revision: number;
  topology: Topology;
  /** What runs, by node. */
  loads: ReadonlyMap<string, readonly Load[]>;
}

const steady: LoadProfile = () => 1;

const tickMs = 1000;
/** xenon's election timeout is 3 s. */
const electionMs = 3000;

/** The physics of one cluster: CPU, memory and requests of everything that runs on its machine. */
export function createPhysics(deps: PhysicsDeps): Physics {
  const { machine, loop, directory, policies, nodeCores, profile = steady } = deps;
  const states = createContainerStates(loop);
  const election = createLeaderElection(deps);
  const present = loop.keep<Present>({
    lastTick: loop.now(),
    running: [],
    hosts: [],
    stores: [],
    revision: -1,
    topology: { stations: [], outside: [] },
    loads: new Map(),
  });
  const { rng = createRng("users"), loadNameOf = () => undefined } = deps;
  const users = createUsers({ loop, rng, profile, nameOf: loadNameOf });
  const flow = createRequestFlow({ loop, machine, users });

  /** Sees containers that came, went or were replaced, services that changed, and names in hosts files. */
  function refreshTopology(): void {
    let count = 0;
    let pods = 0;
    const { running, hosts, stores } = present;
    const revision = directory.revision + policies.revision;
    let same = present.revision === revision;
    for (const sandbox of machine.sandboxes.values()) {
      if (hosts[pods++] !== sandbox.hosts) same = false;
      for (const container of sandbox.containers.values()) {
        if (running[count] !== container || stores[count] !== datastoreMark(sandbox, container)) same = false;
        count++;
      }
    }
    if (same && running.length === count) return;
    present.hosts = [...machine.sandboxes.values()].map((sandbox) => sandbox.hosts);
    present.running = [...machine.sandboxes.values()].flatMap(({ containers }) => [...containers.values()]);
    present.revision = revision;
    const before = new Map(present.topology.stations.map((station) => [station.container, station]));
    const topology = buildTopology({ ...deps, states });
    present.stores = [...machine.sandboxes.values()].flatMap((sandbox) =>
      [...sandbox.containers.values()].map((container) => datastoreMark(sandbox, container)),
    );
    states.retain(present.running);
    present.topology = topology;
    for (const station of topology.stations) {
      const old = before.get(station.container);
      station.arriving = old?.arriving ?? 0;
      loop.keep(station);
      for (const [index, route] of station.routes.entries()) {
        // Calls that are on their way are tried again whatever else has changed.
        if (route.call.retries) route.tries = old?.routes[index]?.tries ?? 1;
        loop.keep(route);
      }
      for (const kind of station.mix) loop.keep(kind);
    }
    for (const { route } of topology.outside) loop.keep(route);
    present.loads = loadsByNode(machine, topology, states);
  }

  function useMachines(since: number, now: number): void {
    for (const [nodeName, loads] of present.loads) {
      for (const load of loads) {
        const { station, container } = load;
        load.seconds = Math.max(0, now - Math.max(since, container.startedAt)) / 1000;
        load.requests = station ? requestDemand(station) : 0;
        load.inside = station ? requestsInside(station) : 0;
        if (station && hasFlags(container)) followFlags(station, load);
      }
      runNode(loads, nodeCores(nodeName));
      for (const load of loads) settleMemory(load);
      keepToMemory(loads, memoryForPods(nodeName));
    }
  }

  function tick(): void {
    const now = loop.now();
    const seconds = (now - present.lastTick) / 1000;
    if (seconds <= 0) return;
    refreshTopology();
    flow.push(present.topology, seconds);
    useMachines(present.lastTick, now);
    flow.pull(present.topology, seconds);
    moveMessages(present.topology.stations, seconds);
    present.lastTick = now;
  }

  const stops = [
    loop.every(tickMs, "physics", tick),
    loop.every(electionMs, "leader election", election.round),
  ];
  return {
    tick,
    states,
    users,
    get revision() {
      return flow.revision;
    },
    stations: () => present.topology.stations,
    outside: () => present.topology.outside,
    edges: (namespace) => edgesOf(present.topology, namespace),
    services: (namespace) =>
      present.topology.stations.filter((station) => station.namespace === namespace).map(serviceStats),
    [Symbol.dispose]: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Threads of its own that flags keep busy, and memory that they make it pile up. */
function followFlags(station: Station, { container, state, seconds }: Load): void {
  const main = container.processes.find(({ kind }) => kind === "main");
  if (main?.stoppedDemand === undefined && main)
    main.cpuDemand = isUp(container) ? addedByFlags(station, "cpuMillicores") / 1000 : 0;
  container.isUnwell = isUnwell(station);
  state.grownMi = grownMemory(station, state.grownMi, seconds);
  if (isUp(container)) keepConnections(station, seconds);
}

const noVolumes: readonly FileTree[] = [];

/** Which of these volumes a container mounts; they are taken out. */
function mountedOf(
  { mounts }: ContainerRuntime,
  volumes: PodSandbox["volumes"],
  left: Set<FileTree>,
): readonly FileTree[] {
  const names = new Set(mounts.values());
  return [...names].flatMap((name) => {
    const volume = volumes.get(name);
    return volume && left.delete(volume) ? [volume] : [];
  });
}

/** What a node's containers may have, bytes. */
const memoryForPods = (node: string): number =>
  (nodeMemory(node) ?? Number.POSITIVE_INFINITY) - nodeOwn.memory;

function loadsByNode(
  { sandboxes }: Machine,
  { stations }: Topology,
  states: ContainerStates,
): ReadonlyMap<string, readonly Load[]> {
  const stationOf = new Map(stations.map((station) => [station.container, station]));
  const loads = new Map<string, Load[]>();
  for (const { nodeName, containers, volumes } of sandboxes.values()) {
    // Of a volume that several containers mount the first one has the memory.
    const left = new Set(volumes.values().filter(({ isInMemory }) => isInMemory));
    for (const container of containers.values()) {
      const [state, station] = [states.of(container), stationOf.get(container)];
      const inMemory = left.size === 0 ? noVolumes : mountedOf(container, volumes, left);
      const load: Load = { container, state, station, seconds: 0, requests: 0, inside: 0, inMemory };
      loads.set(nodeName, [...(loads.get(nodeName) ?? []), load]);
    }
  }
  return loads;
}

/** Whether flags, variables or its version may do something to a program, also if they do not now. */
const hasFlags = ({ behaviour, env }: ContainerRuntime): boolean =>
  behaviour?.flags !== undefined ||
  behaviour?.versions !== undefined ||
  behaviour?.switches !== undefined ||
  (behaviour?.keeps !== undefined && env[behaviour.keeps] !== undefined);

function edgesOf({ stations, outside }: Topology, namespace: string): readonly EdgeStats[] {
  const routes = [
    ...outside.filter((item) => item.namespace === namespace).map(({ route }) => route),
    ...stations.filter((item) => item.namespace === namespace).flatMap((item) => item.routes),
  ];
  return routes.map((route: Route) => ({
    from: route.fromName,
    to: route.call.to,
    requestsPerSecond: route.rate,
    successRatio: route.success,
    latencyMs: route.latency.mean,
    latencyP95Ms: percentile95(route.latency),
    ...refusalIn(route),
  }));
}

function refusalIn(route: Route): Pick<EdgeStats, "refusal"> {
  const { targets, call, from } = route;
  const starved = poolError(route);
  if (starved !== undefined) return { refusal: { message: starved, pod: from === "node" ? "" : from.name } };
  for (const { refusal, station, sandbox } of targets) {
    const message = refusal?.message ?? (station && errorByFlags(station, call));
    if (message !== undefined) return { refusal: { message, pod: sandbox.name } };
  }
  return {};
}

function serviceStats(station: Station): ServiceStats {
  return {
    workload: station.program.workloadName,
    pod: station.sandbox.name,
    requestsPerSecond: station.served,
    successRatio: station.success,
    latencyMs: station.latency.mean,
    latencyP95Ms: percentile95(station.latency),
    latency: station.latency,
    utilisation: station.state.cpuLoad,
  };
}
