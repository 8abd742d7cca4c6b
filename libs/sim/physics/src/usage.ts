import type { ContainerRuntime, FileTree } from "@microremed/sim-machine";
import { type ContainerState, otherDemands, sum } from "./container-state.ts";
import { fairLevel, periodSeconds, quotaOf, weightedShares, weightOf } from "./cpu.ts";
import type { Station } from "./topology.ts";

/** One running container with its work in this tick. */
export interface Load {
  readonly container: ContainerRuntime;
  readonly state: ContainerState;
  /** Undefined: it serves no requests. */
  readonly station: Station | undefined;
  /** How long it ran in this tick, s. */
  seconds: number;
  /** Cores that requests ask for. */
  requests: number;
  /** Requests that it holds at once. */
  inside: number;
  /** Volumes in memory that count as the container's. */
  readonly inMemory: readonly FileTree[];
}

const mebi = 2 ** 20;
/** Memory of a program in its image's first moments, as a share of what it has when it listens. */
const memoryAtStart = 0.4;

/** Gives every container of one node its CPU, and moves its counters and its start-up. */
export function runNode(loads: readonly Load[], cores: number): void {
  const others = loads.map(({ container }) => otherDemands(container));
  for (const load of loads) load.state.mainDemand = mainDemand(load);
  const wanted = loads.map(
    (load, index) => load.state.mainDemand + probesDemand(load) + sum(others[index] ?? []),
  );
  const wants = loads.map(({ container }, index) =>
    Math.min(wanted[index] ?? 0, quotaOf(container.cpuLimit)),
  );
  const total = sum(wants);
  const weights = loads.map(({ container }) => weightOf(container.cpuRequest));
  const shares = total <= cores ? wants : weightedShares(cores, wants, weights);
  const spare = Math.max(0, cores - total);
  const weight = sum(weights);
  loads.forEach((load, index) => {
    const got = shares[index] ?? 0;
    const guaranteed = (cores * (weights[index] ?? 0)) / weight;
    load.state.capacity = Math.min(quotaOf(load.container.cpuLimit), Math.max(guaranteed, got + spare));
    bill(load, got, wanted[index] ?? 0, others[index] ?? []);
  });
}

/** Cores that probes and single requests since the last tick come to. */
function probesDemand({ state, seconds }: Load): number {
  const demand = seconds > 0 ? state.pendingWork / seconds : 0;
  if (seconds > 0) state.pendingWork = 0;
  return demand;
}

function mainDemand({ container, seconds, requests }: Load): number {
  const { behaviour, startupLeft } = container;
  if (!behaviour) return plainDemand(container);
  const idle = behaviour.idleCpuMillicores / 1000;
  if (startupLeft > 0) return Math.min(1, idle + startupLeft / Math.max(seconds, 0.001));
  return idle + requests;
}

/** An image that just runs its command: its processes say what they want. */
function plainDemand(container: ContainerRuntime): number {
  return sum(container.processes.filter(({ kind }) => kind === "main").map(({ cpuDemand }) => cpuDemand));
}

function bill(
  { container, state, seconds }: Load,
  got: number,
  wanted: number,
  others: readonly number[],
): void {
  const { usage } = container;
  const quota = quotaOf(container.cpuLimit);
  if (container.startupLeft > 0) {
    const level = fairLevel(got, [...others, state.mainDemand]);
    container.startupLeft = Math.max(0, container.startupLeft - Math.min(level, state.mainDemand) * seconds);
  }
  usage.cpu = got;
  usage.cpuTotal += got * seconds;
  usage.throttled = wanted > quota ? 1 - quota / wanted : 0;
  usage.throttledSecondsTotal += usage.throttled * seconds;
  if (quota === Number.POSITIVE_INFINITY) return;
  const periods = (seconds / periodSeconds) * Math.min(1, wanted / quota);
  usage.periodsTotal += periods;
  if (wanted > quota) usage.throttledPeriodsTotal += periods;
}

/** Moves the working set. Above the limit the kernel kills the whole group, as cgroup v2 with memory.oom.group does. */
export function settleMemory({ container, state, inside, inMemory }: Load): void {
  const { behaviour, memoryLimit } = container;
  const program = behaviour
    ? mebi *
      (behaviour.memoryMi * started(container) +
        behaviour.memoryMiPerConcurrentRequest * inside +
        state.grownMi)
    : 0;
  let memory = program;
  for (const { bytes } of inMemory) memory += bytes;
  for (const process of container.processes) {
    if (process.kind === "main" && behaviour) process.memoryBytes = program;
    else memory += process.memoryBytes;
  }
  container.usage.memory = Math.round(Math.max(mebi / 2, memory));
  if (memoryLimit === undefined || memory <= memoryLimit) return;
  container.usage.memory = memoryLimit;
  container.oomKilled = true;
}

/** Without a limit a process is the likelier to be killed, the more it has of the node's memory beyond its request. */
const freeScore = 1000;
/** Of a pod whose requests are its limits. */
const safeScore = -997;

/** The kernel's oom_score: the share of the node's memory that it has, in thousandths, and what the kubelet adds by its request. */
function oomScore({ usage, memoryRequest, memoryLimit }: ContainerRuntime, memory: number): number {
  const share = (1000 * usage.memory) / memory;
  if (memoryRequest === 0) return share + freeScore;
  if (memoryRequest === memoryLimit) return share + safeScore;
  return share + Math.min(freeScore - 1, Math.max(2, freeScore - (1000 * memoryRequest) / memory));
}

/** A node without memory: its kernel kills the container with the highest score. `memory`: what its containers may have, bytes. */
export function keepToMemory(loads: readonly Load[], memory: number): void {
  let used = 0;
  for (const { container } of loads) used += container.usage.memory;
  if (used <= memory) return;
  const scores = loads
    .filter(({ container }) => !container.oomKilled)
    .map(({ container }) => ({ container, score: oomScore(container, memory) }));
  const worst = scores.reduce(
    (a, b) => (b.score > a.score ? b : a),
    scores[0] ?? { score: 0, container: undefined },
  );
  if (worst.container) worst.container.oomKilled = true;
}

function started({ behaviour, startupLeft }: ContainerRuntime): number {
  if (!behaviour || behaviour.startupCpuSeconds <= 0) return 1;
  const done = 1 - Math.max(0, startupLeft) / behaviour.startupCpuSeconds;
  return memoryAtStart + (1 - memoryAtStart) * Math.max(0, Math.min(1, done));
}
