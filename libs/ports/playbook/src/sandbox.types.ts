import type { Tool } from "./find-tool.ts";

/** What untrusted code is run with. */
export interface Tools {
  readonly ansible: Tool | undefined;
  readonly kubectl: Tool | undefined;
}

/** Namespaces of its own for users, mounts, processes, IPC and, where the machine allows it, network. */
export interface BubblewrapSandbox {
  readonly kind: "bubblewrap";
  readonly bwrap: string;
  /** A harness that runs as root gives root up first: root's files and limits are not for playbooks. */
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** `api-only`: nothing but the API server can be reached. `shared`: the machine's network, as it is. */
  readonly network: "api-only" | "shared";
  /** Whether code inside may make user namespaces of its own, and so see more of the kernel. */
  readonly nestedUsers: boolean;
  readonly tools: Tools;
}

/** How untrusted code is run on this machine. */
export type Sandbox =
  | BubblewrapSandbox
  /** Only a process group and a scrubbed environment, where bubblewrap is missing or not permitted. */
  | { readonly kind: "process-group"; readonly why: string; readonly tools: Tools };
