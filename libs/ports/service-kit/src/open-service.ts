import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { users } from "@microremed/contracts";
import { AppError, tlsFilesFrom } from "@microremed/core";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import type { z } from "zod";
import { backboneConfig } from "./backbone-config.ts";
import { startHealthServer } from "./health-server.ts";
import type { ServiceLogger } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { observeMessages } from "./observe-messages.ts";
import { parseConfig } from "./parse-config.ts";
import { startTracing } from "./start-tracing.ts";
import { traceMessages, traceOutgoing } from "./trace-messages.ts";
import type { Tracing } from "./tracing.ts";
import { watchConnections } from "./watch-connections.ts";

type BackboneConfig = z.output<z.ZodObject<typeof backboneConfig>>;
type ConfigOf<S extends z.ZodRawShape> = z.output<z.ZodObject<typeof backboneConfig & S>>;

/** What `start` of a service gets: its configuration and open connections. */
export interface ServiceContext<Config> {
  readonly config: Config;
  /** The environment variables that the configuration was read from. */
  readonly variables: ServiceSurroundings["variables"];
  readonly log: ServiceLogger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly bus: Bus;
  readonly state: State;
  /** Closed in reverse order when the service stops: put in it what `start` opens. */
  readonly stack: AsyncDisposableStack;
  /** Aborted when the service must stop. */
  readonly signal: AbortSignal;
  /** Aborted when it is to let go of the work in flight too. */
  readonly interrupt: AbortSignal;
}

/** A service's name, its own environment variables, and how it is wired. */
export interface ServiceDefinition<S extends z.ZodRawShape> {
  readonly name: string;
  readonly config: S;
  readonly start: (context: ServiceContext<ConfigOf<S>>) => Promise<void>;
}

/** Where a service gets its configuration from and its log lines go to, and what stops it. */
export interface ServiceSurroundings {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly log: ServiceLogger;
  /** Aborted when the service is to stop. */
  readonly signal: AbortSignal;
  /** Aborted when it is to let go of the work in flight too. */
  readonly interrupt: AbortSignal;
}

/** A service that runs. Disposing closes everything in reverse order. */
export interface OpenService extends AsyncDisposable {
  readonly healthPort: number;
}

/** How long NATS with its streams and Redis may take to be there after the service has started: an image is pulled meanwhile. */
const connectWithinMs = 300_000;

/**
 * Opens a service in this process: connects NATS and Redis, serves health and metrics, calls `start`, and returns when it
 * is ready. Several may share a process; each has its own configuration, connections, metrics and log. Throws
 * `invalid-config`, and the signal's reason when it is stopped meanwhile.
 */
export async function openService<S extends z.ZodRawShape>(
  { name, config: shape, start }: ServiceDefinition<S>,
  { variables, log, signal, interrupt }: ServiceSurroundings,
): Promise<OpenService> {
  const config = parseConfig({ ...backboneConfig, ...shape }, variables) as ConfigOf<S>;
  const base = parseConfig(backboneConfig, variables);
  log.hide(base.NATS_PASSWORD);
  log.hide(decodeURIComponent(new URL(base.REDIS_URL).password));
  await using stack = new AsyncDisposableStack();
  const tracing = stack.use(await startTracing(name, variables, log));
  const metrics = createMetrics(name);
  const running: { bus?: Bus; state?: State; ready: boolean } = { ready: false };
  const health = await startHealthServer({
    host: base.HEALTH_HOST,
    port: base.HEALTH_PORT,
    registry: metrics.registry,
    troubles: () => [
      ...(running.ready ? [] : ["the service is starting"]),
      ...(running.bus?.connected ? [] : ["NATS is away"]),
      ...(running.state?.connected ? [] : ["Redis is away"]),
    ],
  });
  stack.use(health);
  watchConnections(metrics, () => ({ nats: running.bus?.connected, redis: running.state?.connected }));
  log.info({ health_port: health.port, node: process.version }, "starting");
  const during = { signal, log };
  const state = stack.use(await untilThere("Redis", during, () => connectRedisState(redisAccess(base, log))));
  const watched = {
    interceptors: [...(tracing.on ? [traceMessages(tracing)] : []), observeMessages(log, metrics)],
    ...(tracing.on && { outgoing: traceOutgoing(tracing) }),
  };
  const bus = stack.use(
    await untilThere("NATS", during, () =>
      connectNatsBus({ ...natsAccess(base), name, log, ...watched, interrupt }),
    ),
  );
  // The range's own users, except admin, have no right to create them, and NATS would log each try.
  const create = base.NATS_USER === "admin" || !users.some((name) => name === base.NATS_USER);
  await untilThere("the streams at NATS", during, () => bus.ensureStreams({ create }));
  Object.assign(running, { bus, state });
  await start({ config, variables, log, metrics, tracing, bus, state, stack, signal, interrupt });
  running.ready = true;
  log.info({}, "ready");
  const owned = stack.move();
  return { healthPort: health.port, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function natsAccess(config: BackboneConfig) {
  const { NATS_URL, NATS_USER, NATS_PASSWORD } = config;
  const tls = tlsFilesFrom("NATS", config);
  return {
    servers: NATS_URL,
    ...(NATS_USER !== undefined && { user: NATS_USER }),
    ...(NATS_PASSWORD !== undefined && { password: NATS_PASSWORD }),
    ...(tls && { tls }),
  };
}

function redisAccess(config: BackboneConfig, log: ServiceLogger) {
  const tls = tlsFilesFrom("REDIS", config);
  return { url: config.REDIS_URL, log, ...(tls && { tls }) };
}

interface Waiting {
  readonly signal: AbortSignal;
  readonly log: ServiceLogger;
}

/** Tries again while the servers are still starting; says once what it waits for. */
async function untilThere<T>(what: string, { signal, log }: Waiting, connect: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + connectWithinMs;
  for (let tries = 1; ; tries++) {
    try {
      return await connect();
    } catch (error) {
      const { severity } = AppError.from(error);
      if (severity !== "retryable" || performance.now() > deadline || signal.aborted) throw error;
      if (tries === 1) {
        const { message } = AppError.from(error);
        log.info({ seconds: connectWithinMs / 1000, error_message: message }, `waiting for ${what}`);
      }
      await delay(Math.min(2_000, 100 * 2 ** tries), undefined, { signal });
    }
  }
}
