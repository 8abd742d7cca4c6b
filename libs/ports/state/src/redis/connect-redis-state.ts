import type { Logger, TlsFiles } from "@microremed/core";
import type { State } from "../state.ts";
import { createArenas } from "./arenas.ts";
import { createClaims } from "./claims.ts";
import { createClusterHealth } from "./cluster-health.ts";
import { createConversations } from "./conversations.ts";
import { createEpisodes } from "./episodes.ts";
import { createExperiments } from "./experiments.ts";
import { createKeys } from "./keys.ts";
import { createModelCalls } from "./model-calls.ts";
import { createOutbox } from "./outbox.ts";
import { openRedis } from "./redis-link.ts";
import { createResults } from "./results.ts";
import { startServerClock } from "./server-clock.ts";

export interface RedisStateOptions {
  /** `redis://[[user]:password@]host:port[/database]`; `rediss:`: encrypted. */
  readonly url: string;
  /** Used with `rediss:` only. */
  readonly tls?: TlsFiles;
  /** Put before every key, so that several ranges can share a server. Default: `microremed:`. */
  readonly prefix?: string;
  readonly log: Logger;
}

/** Connects to Redis and reconnects for ever. Every operation throws retryable `state-unreachable` when Redis is away. */
export async function connectRedisState(options: RedisStateOptions): Promise<State> {
  const redis = await openRedis(options);
  const keys = createKeys(options.prefix ?? "microremed:");
  const clock = await startServerClock(redis);
  const outbox = createOutbox(redis, keys);
  return {
    now: () => clock.now(),
    get connected() {
      return redis.connected;
    },
    experiments: createExperiments(redis, keys),
    episodes: createEpisodes(redis, keys),
    arenas: createArenas(redis, keys),
    clusters: createClusterHealth(redis, keys),
    outbox,
    conversations: createConversations(redis, keys),
    modelCalls: createModelCalls(redis, keys),
    results: createResults(redis, keys),
    claims: createClaims(redis, keys),
    [Symbol.asyncDispose]: async () => {
      clock[Symbol.dispose]();
      await outbox[Symbol.asyncDispose]();
      await redis[Symbol.asyncDispose]();
    },
  };
}
