import type { Logger, TlsFiles } from "@microremed/core";
import type { State } from "../state.ts";
import { createRedisState } from "./create-redis-state.ts";
import { openRedis } from "./redis-link.ts";

/** The Redis server, and the prefix under which the range keeps its keys. */
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
  return createRedisState(await openRedis(options), options.prefix ?? "microremed:");
}
