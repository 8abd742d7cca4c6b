import { readFileSync } from "node:fs";
import { AppError, type Logger, retryable, type TlsFiles } from "@microremed/core";
import { Redis, type RedisValue } from "ioredis";
import { createScripts, type Script } from "./scripts.ts";

/** How long one operation may take, the wait for a lost connection included, ms. */
const deadlineMs = 10_000;

/** The one connection to Redis; it reconnects for ever. Every failure is a retryable `state-unreachable`. */
export interface RedisLink extends AsyncDisposable {
  readonly connected: boolean;
  /** Calls the listener whenever the connection is lost. */
  onLost(listener: () => void): void;
  /** Runs `work` once connected. */
  use<T>(doing: string, work: (redis: Redis) => Promise<T>): Promise<T>;
  /** Runs a script of `scripts/`, loading it where the server does not have it. */
  run(script: Script, keys: readonly string[], args: readonly RedisValue[]): Promise<unknown>;
}

export interface RedisAccess {
  readonly url: string;
  readonly tls?: TlsFiles;
  readonly log: Logger;
}

export async function openRedis({ url, tls, log }: RedisAccess): Promise<RedisLink> {
  const redis = new Redis(url, {
    ...(url.startsWith("rediss:") && { tls: contentsOf(tls) }),
    lazyConnect: true,
    // Nothing piles up in the client while the server is away: `use` waits before it sends.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    // What was under way when the connection broke fails at once instead of at its deadline.
    maxRetriesPerRequest: 0,
    commandTimeout: deadlineMs,
    connectTimeout: deadlineMs,
    retryStrategy: (times) => Math.min(1000, 50 * times),
  });
  let lost = false;
  redis.on("error", (error: Error) => {
    if (!lost) log.warn({ error: error.message }, "the connection to Redis is lost; reconnecting");
    lost = true;
  });
  let back = Promise.withResolvers<void>();
  redis.on("ready", () => {
    if (lost) log.info({}, "connected to Redis again");
    lost = false;
    back.resolve();
    back = Promise.withResolvers();
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    redis.disconnect();
    throw retryable("state-unreachable", `no Redis server answers: ${String(cause)}`, {}, cause);
  }

  const whenReady = async (): Promise<void> => {
    if (redis.status === "ready") return;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`no connection for ${deadlineMs} ms`)), deadlineMs);
    await Promise.race([back.promise, late.promise]).finally(() => clearTimeout(timer));
  };
  let isGathering = false;
  /** What is asked in one turn of the event loop leaves in one write; the client's pipelines take twice the time. */
  const gatherWrites = (): void => {
    if (isGathering) return;
    isGathering = true;
    const { stream } = redis;
    stream.cork();
    setImmediate(() => {
      isGathering = false;
      stream.uncork();
    });
  };
  const use: RedisLink["use"] = async (doing, work) => {
    try {
      await whenReady();
      gatherWrites();
      return await work(redis);
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw retryable("state-unreachable", `${doing} in Redis failed: ${String(cause)}`, {}, cause);
    }
  };
  const scripts = createScripts();
  return {
    get connected() {
      return redis.status === "ready";
    },
    onLost: (listener) => void redis.on("close", listener),
    use,
    run: (script, keys, args) =>
      use(script, async () => {
        const { text, sha } = scripts.load(script);
        try {
          return await redis.evalsha(sha, keys.length, ...keys, ...args);
        } catch (error) {
          if (!String(error).includes("NOSCRIPT")) throw error;
          return await redis.eval(text, keys.length, ...keys, ...args);
        }
      }),
    [Symbol.asyncDispose]: async () => {
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

function contentsOf({ caFile, certFile, keyFile }: TlsFiles = {}) {
  return {
    ...(caFile !== undefined && { ca: readFileSync(caFile) }),
    ...(certFile !== undefined && { cert: readFileSync(certFile) }),
    ...(keyFile !== undefined && { key: readFileSync(keyFile) }),
  };
}
