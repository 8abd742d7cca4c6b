import type { Logger } from "@microremed/core";
import type { Terminal } from "./terminal.ts";

/** What every command gets from `main`. */
export interface Context {
  readonly terminal: Terminal;
  readonly log: Logger;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
}
