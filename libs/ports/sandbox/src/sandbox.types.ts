import type { Tool } from "./find-tool.ts";
import type { MemoryGroups } from "./memory-group.ts";
import type { RunnerPool } from "./pods/runner-pool.ts";

/** What untrusted code is run with. */
export interface Tools {
  readonly ansible: Tool | undefined;
  readonly kubectl: Tool | undefined;
}

/**
 * Namespaces of its own for users, mounts, processes, IPC and network: nothing but the API server of a run can be
 * reached, and no file of the machine outside of its system directories.
 */
export interface BubblewrapSandbox {
  readonly kind: "bubblewrap";
  readonly bwrap: string;
  /** A harness that runs as root gives root up first: root's files and limits are not for playbooks. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** Whether code inside may make user namespaces of its own, and so see more of the kernel. */
  readonly nestedUsers: boolean;
  /** The compiled seccomp filter of every run (see `system-calls`). */
  readonly systemCalls: Uint8Array;
  /** Where the kernel bounds the memory of each run; undefined: it cannot be asked to, and the harness counts alone. */
  readonly memoryGroups: MemoryGroups | undefined;
  readonly tools: Tools;
}

/** A pod of its own for each run: nothing but the API server of a run can be reached, through its executor. */
export interface PodsSandbox {
  readonly kind: "pods";
  readonly runners: RunnerPool;
  /** Of a run, its files included; a quantity as Kubernetes writes it. */
  readonly memory: string;
  /** What the pods' image has. */
  readonly tools: Tools;
}

/** How untrusted code is run on this machine. */
export type Sandbox =
  | BubblewrapSandbox
  | PodsSandbox
  /** Only a process group and a scrubbed environment: only on request by name. */
  | { readonly kind: "none"; readonly tools: Tools };

/** The memory that a run may take, in words. */
export const memoryOf = (sandbox: Sandbox): string => (sandbox.kind === "pods" ? sandbox.memory : "1 GiB");
