import type { ContainerRuntime, PodSandbox } from "@microremed/sim-machine";
import type { ContainerFiles } from "./container-files.ts";
import type { ShellDeps } from "./shell-deps.types.ts";

/** Where a command runs. */
export interface Place {
  readonly deps: ShellDeps;
  readonly sandbox: PodSandbox;
  readonly container: ContainerRuntime;
  readonly files: ContainerFiles;
  /** `busybox` or `gnu` (coreutils, procps, iputils): whose words the tools use. */
  readonly flavour: "busybox" | "gnu";
  /** Of the process that runs the commands here, e.g. a shell. */
  readonly pid: number;
  /** Whether a terminal is attached to it. */
  readonly tty: boolean;
  /** Names of the image's programs. */
  readonly programs: readonly string[];
  /** Whether the image has a program. */
  has(name: string): boolean;
}

/** One run of a simulated program. */
export interface CommandContext extends Place {
  /** As the program was called. */
  readonly name: string;
  /** Without the program's name. */
  readonly args: readonly string[];
  /** A variable of its environment; undefined: it has none of that name. There are some for every Service. */
  variable(name: string): string | undefined;
  /** All variables. */
  variables(): Readonly<Record<string, string>>;
  readonly cwd: string;
  /** All of stdin. */
  stdin(): Promise<Uint8Array>;
  /** Stdin as it comes, for a program that the client itself has started. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Resolves when the client has taken most of what was printed; undefined: the shell takes it. */
  drained?: (() => Promise<void>) | undefined;
  out(chunk: string | Uint8Array): void;
  err(text: string): void;
  readonly signal: AbortSignal;
}

/** Returns the exit code. Waits only on the event loop; throws `signal.reason` when aborted. */
export type Command = (context: CommandContext) => number | Promise<number>;
