import { randomUUID } from "node:crypto";
import { AppError } from "@microremed/core";
import type { McpSession } from "./mcp.ts";
import type { Sessions } from "./sessions.ts";

/** Sessions of MCP clients, which name theirs with every request. */
export interface McpSessions {
  /** Throws `too-many-requests` when there are as many as there may be. */
  create(): string;
  /** From now on it is used. */
  get(id: string): McpSession | undefined;
  /** Ends it and its episode. */
  end(id: string): Promise<void>;
  /** Ends those that were not used for too long. */
  sweep(): Promise<void>;
}

interface Options {
  readonly most: number;
  readonly idleMs: number;
}

export function createMcpSessions(
  sessions: Sessions,
  { most, idleMs }: Options,
  now: () => number = Date.now,
): McpSessions {
  const kept = new Map<string, McpSession & { usedAt: number }>();
  const end = async (id: string): Promise<void> => {
    const episode = kept.get(id)?.episode;
    kept.delete(id);
    if (episode !== undefined) await sessions.close(episode);
  };
  return {
    create() {
      if (kept.size >= most)
        throw new AppError(
          "too-many-requests",
          `${most} MCP sessions are open: end some, or wait until idle ones expire`,
          {
            severity: "retryable",
            retryAfterMs: 1_000,
          },
        );
      const id = randomUUID();
      kept.set(id, { episode: undefined, usedAt: now() });
      return id;
    },
    get(id) {
      const session = kept.get(id);
      if (session) session.usedAt = now();
      return session;
    },
    end,
    async sweep() {
      const before = now() - idleMs;
      const old = [...kept].filter(([, { usedAt }]) => usedAt < before).map(([id]) => id);
      await Promise.all(old.map(end));
    },
  };
}
