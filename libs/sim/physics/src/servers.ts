import type { Rng } from "@microremed/core";
import type { ContainerRuntime } from "@microremed/sim-machine";
import { type ContainerStates, programSpeed } from "./container-state.ts";
import { workSeconds } from "./cpu.ts";
import type { Programs } from "./programs.ts";
import { shared } from "./queueing.ts";

/** CPU of the smallest answer, core-seconds. */
const healthPageWork = 0.001;

/** How a server answers a request. */
interface Served {
  readonly ms: number;
  readonly status: number;
  /** Without an error, what it says; absent: what such programs say. */
  readonly body?: string;
}

/** A wrong answer without an error: nothing of what was asked for. */
const wrongBody = "{}";

/** How long single requests take in a server, drawn from what the last tick made of it. */
export interface Servers {
  serve(container: ContainerRuntime, path: string): Served;
  /** A health check from inside the pod. */
  checkHealth(container: ContainerRuntime): number;
}

interface ServerDeps {
  readonly programs: Programs;
  readonly states: ContainerStates;
  readonly rng: Rng;
  /** Whether requests leave no work behind: each takes as long as any other, but no request waits for it. */
  readonly isFree?: boolean;
}

export function createServers({ programs, states, rng, isFree = false }: ServerDeps): Servers {
  /** One request in the server: it waits its turn, takes CPU in the container's cgroup, and makes its calls. */
  function serve(container: ContainerRuntime, path: string): Served {
    const state = states.of(container);
    const { behaviour } = container;
    const bare = path.split("?")[0] ?? path;
    const found = !behaviour?.paths.length || behaviour.paths.includes(bare);
    const healthy = programs.of(container.behaviour)?.healthPaths.has(bare) ?? false;
    const work =
      healthy || !found
        ? healthPageWork
        : Math.max(healthPageWork, state.workSeconds ?? (behaviour?.cpuMillisPerRequest ?? 1) / 1000);
    const queuedMs = healthy && state.isLimited ? 0 : state.backlogMs;
    const waitMs = queuedMs + queueWait(state.wait.chance, state.wait.ms);
    const cpuMs = cpuTime(container, work, behaviour?.concurrency ?? 1);
    if (!found || healthy) return { ms: waitMs + cpuMs, status: found ? 200 : 404 };
    const { calls, callSuccess, callTruth } = state.kinds.find((kind) => kind.path === bare) ?? state;
    const callsMs = calls.fixed + exponential(calls.mean - calls.fixed);
    const ms = waitMs + cpuMs + callsMs;
    if (rng.float() >= callSuccess * (1 - state.ownErrors)) return { ms, status: 500 };
    const truth = callTruth * (1 - state.ownWrong);
    const { status = 200, content } = programs.of(behaviour)?.answers.get(path) ?? {};
    if (truth < 1 && rng.float() >= truth) return { ms, status, body: wrongBody };
    return { ms, status, ...(content !== undefined && { body: content }) };
  }

  function cpuTime(container: ContainerRuntime, work: number, servers: number): number {
    const state = states.of(container);
    const { share, contended } = programSpeed(container, state);
    if (!isFree) state.pendingWork += work;
    const aloneMs = 1000 * workSeconds(work, share, contended);
    return servers > 1 ? shared(aloneMs, state.cpuLoad) : aloneMs;
  }

  const exponential = (meanMs: number): number => (meanMs > 0 ? -Math.log(1 - rng.float()) * meanMs : 0);
  const queueWait = (chance: number, meanMs: number): number =>
    rng.float() < chance ? exponential(meanMs) : 0;

  return {
    serve,
    checkHealth(container) {
      const { wait, isLimited, backlogMs } = states.of(container);
      const cpuMs = cpuTime(container, healthPageWork, container.behaviour?.concurrency ?? 1);
      return (isLimited ? 0 : backlogMs) + queueWait(wait.chance, wait.ms) + cpuMs;
    },
  };
}
