import type { ContainerRuntime, Process } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { fairLevel, quotaOf } from "./cpu.ts";
import { type Latency, noLatency } from "./latency.ts";
import type { Wait } from "./queueing.ts";

/** What physics knows about a container between two ticks; single requests and probes depend on it. */
export interface ContainerState {
  /** Cores that the container may use: its quota, or what its node leaves it. */
  capacity: number;
  /** Cores that its main program wanted in the last tick: idle, start-up, requests. */
  mainDemand: number;
  /** CPU work of probes and single requests since the last tick, core-seconds; the next tick bills it. */
  pendingWork: number;
  /** Threads of the main program that want to run at once. */
  threads: number;
  /** Share of the main program's CPU in use by requests. */
  cpuLoad: number;
  /** Wait for a free worker. */
  wait: Wait;
  /** Wait behind requests that could not be served yet, ms. */
  backlogMs: number;
  /** Requests that could not be served yet. */
  backlog: number;
  /** They wait for its limiter, which health checks pass. */
  isLimited: boolean;
  /** Share of the arriving requests that found the queue full. */
  dropped: number;
  /** Time a request keeps its worker without anybody else, ms. */
  holdMs: number;
  /** Time of a request's own calls and writes. */
  calls: Latency;
  /** Chance that a request's own calls all succeed. */
  callSuccess: number;
  /** Share of its requests that feature flags end in an error. */
  ownErrors: number;
  /** Wait that they put into each request, ms. */
  ownWaitMs: number;
  /** CPU of a request with what they add, core-seconds; undefined: it has served none. */
  workSeconds: number | undefined;
  /** Connections that calls have not given back. */
  keptConnections: number;
  /** Memory that they make it pile up, MiB. */
  grownMi: number;
  /** Of its answers without an error, the share that calls leave right, 0..1. */
  callTruth: number;
  /** Share of its answers that the program itself makes wrong. */
  ownWrong: number;
  /** The same of each path whose requests make calls of their own. */
  kinds: readonly KindState[];
}

/** What the calls of one kind of requests come to. */
export interface KindState extends Readonly<Pick<ContainerState, "calls" | "callSuccess" | "callTruth">> {
  readonly path: string;
}

export interface ContainerStates {
  of(container: ContainerRuntime): ContainerState;
  /** Forgets the states of all other containers. */
  retain(containers: readonly ContainerRuntime[]): void;
}

export function createContainerStates({ keep }: Pick<EventLoop, "keep">): ContainerStates {
  const states = keep(new Map<ContainerRuntime, ContainerState>());
  return {
    of: (container) => {
      let state = states.get(container);
      if (!state) {
        state = keep(freshState(container));
        states.set(container, state);
      }
      return state;
    },
    retain: (containers) => {
      const running = new Set(containers);
      for (const container of states.keys()) if (!running.has(container)) states.delete(container);
    },
  };
}

function freshState(container: ContainerRuntime): ContainerState {
  return {
    capacity: Math.min(1, quotaOf(container.cpuLimit)),
    mainDemand: container.startupLeft > 0 ? 1 : 0,
    pendingWork: 0,
    threads: 1,
    cpuLoad: 0,
    wait: { chance: 0, ms: 0 },
    backlogMs: 0,
    backlog: 0,
    isLimited: false,
    dropped: 0,
    holdMs: 0,
    calls: noLatency,
    callSuccess: 1,
    callTruth: 1,
    ownWrong: 0,
    ownErrors: 0,
    ownWaitMs: 0,
    workSeconds: undefined,
    grownMi: 0,
    keptConnections: 0,
    kinds: [],
  };
}

/** The program listens: it has done its start-up work. */
export const isUp = (container: ContainerRuntime): boolean =>
  container.startupLeft <= 0 && !container.isDialling;

const none: readonly number[] = [];

/** Demands of everything in the container but its program's requests: stressors, exec'd commands, busy threads of a system's program. */
export function otherDemands(container: ContainerRuntime): readonly number[] {
  const { processes, behaviour } = container;
  if (processes.length <= 1 && (!behaviour || !processes[0]?.cpuDemand)) return none;
  const demands: number[] = [];
  for (const process of processes) {
    if (process.kind !== "main" || behaviour) pushTasks(demands, process);
  }
  return demands;
}

/** A process that wants several cores is several tasks. */
function pushTasks(demands: number[], { cpuDemand }: Process): void {
  if (cpuDemand <= 0) return;
  const tasks = Math.ceil(cpuDemand);
  for (let task = 0; task < tasks; task++) demands.push(cpuDemand / tasks);
}

/** Cores that `tasks` more always-runnable tasks would get together, next to `demands`. */
export function shareForTasks(capacity: number, demands: readonly number[], tasks = 1): number {
  if (demands.length === 0) return Math.min(tasks, capacity);
  const hungry = Array.from({ length: tasks }, () => Number.MAX_SAFE_INTEGER);
  return tasks * Math.min(1, fairLevel(capacity, [...demands, ...hungry]));
}

export interface Speed {
  /** Cores for one thread. */
  readonly share: number;
  /** Others keep the quota used up. */
  readonly contended: boolean;
}

/** How fast one thread of the program itself runs. */
export function programSpeed(container: ContainerRuntime, state: ContainerState): Speed {
  const others = otherDemands(container);
  const demands = container.startupLeft > 0 ? [...others, state.mainDemand] : others;
  return {
    share: shareForTasks(state.capacity, demands),
    contended: sum(others) > state.capacity,
  };
}

/** How fast a new process in the container runs, next to the program and everything else. */
export function newcomerSpeed(container: ContainerRuntime, state: ContainerState): Speed {
  const demands = [...otherDemands(container), state.mainDemand];
  return { share: shareForTasks(state.capacity, demands), contended: sum(demands) >= state.capacity };
}

export function sum(numbers: readonly number[]): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
