import type { Rng } from "@microremed/core";
import type { ContainerRuntime, ExecRequest, Machine, Network, PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** A request of a program in a pod to the API server. */
export interface ApiRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** The API server as a pod finds it. */
export interface ReachedApi {
  /** False: a network policy drops what the pod sends to it. */
  readonly answers: boolean;
  /** Its answer to the account that the token of the request names. Throws `signal.reason` when aborted. */
  ask(request: ApiRequest): Promise<{ readonly status: number; readonly body: string }>;
}

/** The API server, if it is at an address; undefined: something else is there, or nothing. */
export type FindApi = (from: PodSandbox, address: string, port: number) => ReachedApi | undefined;

/** What the simulated containers' programs depend on. */
export interface ShellDeps {
  readonly loop: EventLoop;
  readonly machine: Machine;
  readonly network: Network;
  readonly rng: Rng;
  /** A node's memory, bytes. */
  nodeMemory(nodeName: string): number;
  /** What programs may still have of it, bytes. */
  availableMemory(nodeName: string): number;
  /** Called when something begins to compute in another thread: time is not to run away from it. */
  onComputing?(until: Promise<void>): void;
  /** Absent: there is no API server. */
  readonly apiAt?: FindApi;
  /** Runs a command that nothing waits for. One that fails has ended, like any other program. */
  background(request: ExecRequest): void;
  /** Ends a container's main process; the kubelet sees the exit and restarts the container by its policy. */
  killContainer(sandbox: PodSandbox, container: ContainerRuntime, exitCode: number): void;
}
