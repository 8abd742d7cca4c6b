import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "@microremed/bus";
import { connectNatsBus } from "@microremed/bus/nats";
import { users } from "@microremed/contracts";
import { AppError, tlsFilesFrom } from "@microremed/core";
import type { State } from "@microremed/state";
import { connectRedisState } from "@microremed/state/redis";
import type { z } from "zod";
import { assertNode } from "./assert-node.ts";
import { backboneConfig } from "./backbone-config.ts";
import { startHealthServer } from "./health-server.ts";
import { createLogger, type ServiceLogger } from "./logger.ts";
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
  readonly log: ServiceLogger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly bus: Bus;
  readonly state: State;
  /** Closed in reverse order when the service stops: put in it what `start` opens. */
  readonly stack: AsyncDisposableStack;
  /** Aborted when the service must stop. */
  readonly signal: AbortSignal;
}

/** How long NATS with its streams and Redis may take to be there after the service has started: an image is pulled meanwhile. */
const connectWithinMs = 300_000;
/** How long an orderly stop may take. */
const stopWithinMs = 20_000;
/** How long it may take when the parent process is gone, and NATS and Redis perhaps with it. */
const stopAloneWithinMs = 3_000;

/**
 * Runs a service until SIGTERM or SIGINT: reads its configuration, connects NATS and Redis, serves health and metrics,
 * calls `start`, which wires the handlers and returns, and closes everything in reverse order at the end.
 * Started with an IPC channel (as a local stack does), it also stops when the channel closes: no process is left then to
 * stop it. A wrong configuration ends the process with 2, a defect with 1.
 */
export async function runService<S extends z.ZodRawShape>(
  name: string,
  shape: S,
  start: (context: ServiceContext<ConfigOf<S>>) => Promise<void>,
): Promise<void> {
  let log = createLogger({ service: name, level: "info" });
  try {
    assertNode();
    const config = parseConfig({ ...backboneConfig, ...shape }, process.env) as ConfigOf<S>;
    const base = parseConfig(backboneConfig, process.env);
    log = createLogger({ service: name, level: base.LOG_LEVEL });
    log.hide(base.NATS_PASSWORD);
    log.hide(decodeURIComponent(new URL(base.REDIS_URL).password));
    for (const event of ["unhandledRejection", "uncaughtException"] as const) {
      process.on(event, (reason: unknown) => die(log, AppError.from(reason), 1));
    }
    await runUntilStopped(name, { config, base, log }, start);
    process.exit(0);
  } catch (thrown) {
    const error = AppError.from(thrown);
    die(log, error, error.code === "invalid-config" || error.code === "missing-tool" ? 2 : 1);
  }
}

function die(log: ServiceLogger, error: AppError, exitCode: number): void {
  const cause = error.cause instanceof Error ? error.cause : error;
  log.error(
    { error_code: error.code, error_message: error.message, error_stack: cause.stack },
    "the service ends",
  );
  // The line above is written asynchronously.
  setTimeout(() => process.exit(exitCode), 50);
}

async function runUntilStopped<S extends z.ZodRawShape>(
  name: string,
  { config, base, log }: { config: ConfigOf<S>; base: BackboneConfig; log: ServiceLogger },
  start: (context: ServiceContext<ConfigOf<S>>) => Promise<void>,
): Promise<void> {
  const { signal, interrupt } = stopSignals(log);
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  await using stack = new AsyncDisposableStack();
  const tracing = stack.use(await startTracing(name, process.env, log));
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
  try {
    const during = { signal, log };
    const state = stack.use(
      await untilThere("Redis", during, () => connectRedisState(redisAccess(base, log))),
    );
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
    await start({ config, log, metrics, tracing, bus, state, stack, signal });
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  running.ready = true;
  log.info({}, "ready");
  await stopped;
}

interface StopSignals {
  /** Aborted when the service is to stop; from then on the process has a bounded time left. */
  readonly signal: AbortSignal;
  /** Aborted when it is to let go of the work in flight too. */
  readonly interrupt: AbortSignal;
}

function stopSignals(log: ServiceLogger): StopSignals {
  const stopping = new AbortController();
  const interrupting = new AbortController();
  const stop = (event: string, withinMs: number): void => {
    log.info({ event }, "stopping");
    setTimeout(() => process.exit(1), withinMs).unref();
    stopping.abort(new Error("the service is stopping"));
  };
  for (const event of ["SIGTERM", "SIGINT"] as const) process.once(event, () => stop(event, stopWithinMs));
  const orphaned = (): void => {
    stop("disconnect", stopAloneWithinMs);
    interrupting.abort(new Error("the service is stopping"));
  };
  // `undefined` without a channel, and `false` when it closed before this line.
  if (process.connected === false) orphaned();
  else if (process.connected) process.once("disconnect", orphaned);
  return { signal: stopping.signal, interrupt: interrupting.signal };
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
