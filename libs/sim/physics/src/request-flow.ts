import type { LoadSpec } from "@microremed/environments";
import type { Machine } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { audiencesOf } from "./audiences.ts";
import { freeConnections } from "./connection-pool.ts";
import { isUp, programSpeed } from "./container-state.ts";
import type { Topology } from "./topology.ts";
import { programCores, pullAnswers, pushLoad } from "./traffic.ts";
import type { Users } from "./users.ts";

/** Moves requests and answers through a topology, but only while that changes anything. */
export interface RequestFlow {
  /** Grows whenever anything may have changed. */
  readonly revision: number;
  /** The first half of a tick of `seconds`; then containers get their CPU. */
  push(topology: Topology, seconds: number): void;
  pull(topology: Topology, seconds: number): void;
}

/** What the requests of the last tick depended on, and what came of them. */
interface LastTick {
  topology: Topology | undefined;
  faults: readonly unknown[];
  inputs: readonly number[];
  state: readonly number[];
  /** Nothing that the tick depends on has changed since the last one, so far. */
  unchanged: boolean;
  /** The last tick changed nothing: as long as it depends on the same, neither does the next. */
  steady: boolean;
  revision: number;
}

export function createRequestFlow({
  loop,
  machine,
  users,
}: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly users: Users;
}): RequestFlow {
  const last = loop.keep<LastTick>({
    topology: undefined,
    faults: [],
    inputs: [],
    state: [],
    unchanged: false,
    steady: false,
    revision: 0,
  });

  function check(topology: Topology, seconds: number): void {
    const inputs = requestInputs(topology, seconds, users);
    if (!sameItems(inputs, last.inputs)) last.unchanged = false;
    last.inputs = inputs;
    last.steady &&= last.unchanged;
  }

  return {
    get revision() {
      return last.revision;
    },
    push(topology, seconds) {
      const faults = faultsOn(machine);
      last.unchanged = topology === last.topology && sameItems(faults, last.faults);
      last.faults = faults;
      last.topology = topology;
      users.advance(audiencesOf(topology), seconds);
      check(topology, seconds);
      if (!last.steady) pushLoad(topology, seconds, users);
    },
    pull(topology, seconds) {
      check(topology, seconds);
      if (last.steady) return;
      pullAnswers(topology);
      const state = requestState(topology);
      last.steady = last.unchanged && sameItems(state, last.state);
      last.state = state;
      last.revision++;
    },
  };
}

/**
 * What the requests of a tick depend on, besides the topology, faults, and what the last tick made of them. Cores are
 * what programs can use of them, for a container without a limit has a little more or less in every tick.
 */
function requestInputs({ stations, outside }: Topology, seconds: number, users: Users): readonly number[] {
  const inputs = [seconds];
  const pushLoadOf = (load: LoadSpec, namespace: string): void => {
    inputs.push(users.factor(load, namespace));
    for (const [, share] of users.shares(load, namespace) ?? []) inputs.push(share);
  };
  for (const { load, namespace } of outside) pushLoadOf(load, namespace);
  for (const station of stations) {
    const { container, state } = station;
    const { share, contended } = programSpeed(container, state);
    inputs.push(Number(isUp(container)), programCores(station), Math.min(1, share), Number(contended));
    if (station.flags.length > 0)
      for (const { pool } of station.routes) if (pool) inputs.push(freeConnections(pool));
    if (station.ownRate > 0) pushLoadOf(station.program.environment.load, station.namespace);
  }
  return inputs;
}

/** The faults that requests meet, each after the pod or container that has it. */
function faultsOn({ sandboxes }: Machine): readonly unknown[] {
  const faults: unknown[] = [];
  for (const sandbox of sandboxes.values()) {
    const { netem, drops, dnsFault, containers } = sandbox;
    if (netem.length > 0 || drops.length > 0 || dnsFault) faults.push(sandbox, ...netem, ...drops, dnsFault);
    for (const container of containers.values()) {
      const { httpFaults, ioFaults } = container;
      if (httpFaults.length > 0 || ioFaults.length > 0) faults.push(container, ...httpFaults, ...ioFaults);
    }
  }
  return faults;
}

/** All that `pushLoad` and `pullAnswers` move. */
function requestState({ stations, outside }: Topology): readonly number[] {
  const all: number[] = [];
  for (const { arriving, offered, served, success, truth, latency, state } of stations) {
    const { threads, cpuLoad, wait, backlogMs, backlog, dropped, holdMs, calls, callSuccess, ownErrors } =
      state;
    all.push(arriving, offered, served, success, latency.fixed, latency.mean, threads, cpuLoad, wait.chance);
    all.push(
      wait.ms,
      backlogMs,
      backlog,
      dropped,
      holdMs,
      calls.fixed,
      calls.mean,
      callSuccess,
      ownErrors,
      state.ownWaitMs,
      truth,
    );
  }
  const routes = [...stations.flatMap((station) => station.routes), ...outside.map(({ route }) => route)];
  for (const { rate, tries, attempt, success, truth, latency } of routes) {
    all.push(rate, tries, attempt.success, attempt.latency.fixed, attempt.latency.mean);
    all.push(success, truth, latency.fixed, latency.mean);
  }
  return all;
}

/** Whether two lists hold the same; a number that is none is like no other. */
function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false;
  return true;
}
