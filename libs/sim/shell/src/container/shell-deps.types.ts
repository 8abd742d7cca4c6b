import type { Rng } from "@microremed/core";
import type { ContainerRuntime, ExecRequest, Machine, Network, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** What the simulated containers' programs depend on. */
export interface ShellDeps {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly network: Network;
  readonly rng: Rng;
  /** A node's memory, bytes. */
  nodeMemory(nodeName: string): number;
  /** Runs a command that nothing waits for. One that fails has ended, like any other program. */
  background(request: ExecRequest): void;
  /** Ends a container's main process; the kubelet sees the exit and restarts the container by its policy. */
  killContainer(sandbox: PodSandbox, container: ContainerRuntime, exitCode: number): void;
}
