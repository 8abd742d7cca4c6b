import type { Rng } from "@microremed/core";
import type { ContainerRuntime, Machine, Process } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { parseByteSize } from "../model/byte-size.ts";

export interface Stressors {
  readonly cpu?: { readonly workers: number; readonly load?: number };
  readonly memory?: { readonly workers: number; readonly size?: string };
}

/** Starts stress-ng and memStress in containers, as the chaos daemon does. Each returns the pid of the parent. */
export interface StressStarter {
  cpu(container: ContainerRuntime, owner: string, stressor: NonNullable<Stressors["cpu"]>): number;
  /** `nodeMemory`: bytes that a size in percent refers to. */
  memory(
    container: ContainerRuntime,
    owner: string,
    stressor: NonNullable<Stressors["memory"]>,
    nodeMemory: number,
  ): number;
}

/** Time after which memStress has replaced a worker that died, ms (measured: within 1 s). */
const respawnMs = 700;

export function createStressStarter(deps: {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly rng: Rng;
}): StressStarter {
  const { loop, machine, rng } = deps;

  function start(container: ContainerRuntime, process: Omit<Process, "pid" | "user" | "startedAt">): number {
    const pid = Math.max(1, ...container.processes.map((item) => item.pid)) + 1 + rng.int(4);
    container.processes.push(loop.keep({ ...process, pid, user: "root", startedAt: loop.now() }));
    return pid;
  }

  const isRunning = (container: ContainerRuntime): boolean => {
    for (const sandbox of machine.sandboxes.values())
      if (sandbox.containers.get(container.name) === container) return true;
    return false;
  };

  /** The supervisor replaces dead workers for as long as it lives; they die with it. */
  function supervise(
    container: ContainerRuntime,
    supervisor: { readonly pid: number; readonly owner: string; readonly workers: number },
    spawn: () => void,
  ): void {
    const cancel = loop.every(respawnMs, "memStress supervisor", () => {
      const own = container.processes.filter(
        (item) => item.owner === supervisor.owner && item.kind === "memory-stressor",
      );
      const runs = isRunning(container);
      if (!runs || !own.some((item) => item.pid === supervisor.pid)) return cancel();
      for (let missing = supervisor.workers - (own.length - 1); missing > 0; missing--) spawn();
    });
  }

  return {
    cpu(container, owner, { workers, load }) {
      const command = `stress-ng --cpu-load-slice 10 --cpu-method sqrt --cpu ${workers}${load === undefined ? "" : ` --cpu-load ${load}`}`;
      const idle = { kind: "cpu-stressor", cpuDemand: 0, memoryBytes: 4 << 20, owner } as const;
      const parent = start(container, { ...idle, command });
      for (let worker = 0; worker < workers; worker++)
        start(container, { ...idle, command: "stress-ng-cpu [run]", cpuDemand: (load ?? 100) / 100 });
      return parent;
    },
    memory(container, owner, { workers, size }, nodeMemory) {
      const bytes = size && workers > 0 ? parseByteSize(size, nodeMemory) / workers : 0;
      const command = `memStress --workers ${workers}${size ? ` --size ${size}` : ""}`;
      const idle = { kind: "memory-stressor", cpuDemand: 0, memoryBytes: 4 << 20, owner } as const;
      const pid = start(container, { ...idle, command });
      const spawn = (): number =>
        start(container, { ...idle, command: "memStress: worker", memoryBytes: bytes });
      for (let worker = 0; worker < workers; worker++) spawn();
      supervise(container, { pid, owner, workers }, spawn);
      return pid;
    },
  };
}
