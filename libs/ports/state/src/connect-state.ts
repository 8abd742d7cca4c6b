import type { Logger, TlsFiles } from "@microremed/core";
import { type Arenas, createArenas } from "./arenas.ts";
import { type Claims, createClaims } from "./claims.ts";
import { type ClusterHealth, createClusterHealth } from "./cluster-health.ts";
import { type Conversations, createConversations } from "./conversations.ts";
import { createEpisodes, type Episodes } from "./episodes.ts";
import { createExperiments, type Experiments } from "./experiments.ts";
import { createKeys } from "./keys.ts";
import { createModelCalls, type ModelCalls } from "./model-calls.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { openRedis } from "./redis-link.ts";
import { createResults, type Results } from "./results.ts";
import { startServerClock } from "./server-clock.ts";

export interface StateOptions {
  /** `redis://[[user]:password@]host:port[/database]`; `rediss:`: encrypted. */
  readonly url: string;
  /** Used with `rediss:` only. */
  readonly tls?: TlsFiles;
  /** Put before every key, so that several ranges can share a server. Default: `microremed:`. */
  readonly prefix?: string;
  readonly log: Logger;
}

export interface State extends AsyncDisposable {
  /** Whether the connection stands at this moment. */
  readonly connected: boolean;
  /** Wall clock of Redis, ms since the epoch: the same for every process. */
  now(): number;
  readonly experiments: Experiments;
  readonly episodes: Episodes;
  readonly arenas: Arenas;
  readonly clusters: ClusterHealth;
  readonly outbox: Outbox;
  readonly conversations: Conversations;
  readonly modelCalls: ModelCalls;
  readonly results: Results;
  readonly claims: Claims;
}

/** Connects to Redis and reconnects for ever. Every operation throws retryable `state-unreachable` when Redis is away. */
export async function connectState(options: StateOptions): Promise<State> {
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
