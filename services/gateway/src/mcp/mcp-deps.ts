import type { OfferedTool } from "@microremed/contracts";
import type { SessionDeps } from "../sessions/session-deps.ts";

/** What MCP works with besides sessions. */
export interface McpDeps extends SessionDeps {
  /** The tools of outside agents, as they are described while a session has no problem. */
  readonly usualTools: readonly OfferedTool[];
}

/** Whose requests a server answers: one worker of one session. */
export interface McpWorker {
  readonly sessionId: string;
  readonly worker: string;
  readonly tokenId: string | undefined;
  /** Name of the only turn that is meant; undefined: the one that was handed out last. */
  readonly meant?: string | undefined;
  /** Aborted when the caller is gone. */
  readonly signal: AbortSignal;
}
