import { setTimeout as delay } from "node:timers/promises";
import { type Bus, connectBus } from "@microremed/bus";
import { AppError } from "@microremed/core";
import { connectState, type State } from "@microremed/state";
import type { z } from "zod";
import { assertNode } from "./assert-node.ts";
import { backboneConfig } from "./backbone-config.ts";
import { startHealthServer } from "./health-server.ts";
import { createLogger, type ServiceLogger } from "./logger.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { observeMessages } from "./observe-messages.ts";
import { parseConfig } from "./parse-config.ts";

type ConfigOf<S extends z.ZodRawShape> = z.output<z.ZodObject<typeof backboneConfig & S>>;

export interface ServiceContext<Config> {
  readonly config: Config;
  readonly log: ServiceLogger;
  readonly metrics: Metrics;
  readonly bus: Bus;
  readonly state: State;
  /** Closed in reverse order when the service stops: put in it what `start` opens. */
  readonly stack: AsyncDisposableStack;
  /** Aborted when the service is told to stop. */
  readonly signal: AbortSignal;
}

/** How long NATS and Redis may take to be there after the service has started. */
const connectWithinMs = 60_000;
/** How long an orderly stop may take. */
const stopWithinMs = 20_000;

/**
 * Runs a service until SIGTERM or SIGINT: reads its configuration, connects NATS and Redis, serves health and metrics,
 * calls `start`, which wires the handlers and returns, and closes everything in reverse order at the end.
 * A wrong configuration ends the process with 2, a defect with 1.
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
    const { LOG_LEVEL, NATS_PASSWORD, REDIS_URL } = parseConfig(backboneConfig, process.env);
    log = createLogger({ service: name, level: LOG_LEVEL });
    log.hide(NATS_PASSWORD);
    log.hide(decodeURIComponent(new URL(REDIS_URL).password));
    for (const event of ["unhandledRejection", "uncaughtException"] as const) {
      process.on(event, (reason: unknown) => die(log, AppError.from(reason), 1));
    }
    await runUntilStopped(name, config, start, log);
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
  config: ConfigOf<S>,
  start: (context: ServiceContext<ConfigOf<S>>) => Promise<void>,
  log: ServiceLogger,
): Promise<void> {
  const stopping = new AbortController();
  const stopped = Promise.withResolvers<void>();
  for (const event of ["SIGTERM", "SIGINT"] as const) {
    process.once(event, () => {
      log.info({ event }, "stopping");
      setTimeout(() => process.exit(1), stopWithinMs).unref();
      stopping.abort(new Error("the service is stopping"));
      stopped.resolve();
    });
  }
  const base = parseConfig(backboneConfig, process.env);
  await using stack = new AsyncDisposableStack();
  const metrics = createMetrics(name);
  const troubles: string[] = ["starting"];
  let bus: Bus | undefined;
  let state: State | undefined;
  const health = await startHealthServer({
    host: base.HEALTH_HOST,
    port: base.HEALTH_PORT,
    registry: metrics.registry,
    troubles: () => [
      ...troubles,
      ...(bus?.connected ? [] : ["NATS is away"]),
      ...(state?.connected ? [] : ["Redis is away"]),
    ],
  });
  stack.use(health);
  log.info({ health_port: health.port, node: process.version }, "starting");

  state = stack.use(await untilThere(stopping.signal, () => connectState({ url: base.REDIS_URL, log })));
  bus = stack.use(
    await untilThere(stopping.signal, () =>
      connectBus({
        servers: base.NATS_URL,
        name,
        ...(base.NATS_USER !== undefined && { user: base.NATS_USER }),
        ...(base.NATS_PASSWORD !== undefined && { password: base.NATS_PASSWORD }),
        log,
        interceptors: [observeMessages(log, metrics)],
      }),
    ),
  );
  const { ensureStreams } = bus;
  await untilThere(stopping.signal, ensureStreams);
  await start({ config, log, metrics, bus, state, stack, signal: stopping.signal });
  troubles.length = 0;
  log.info({}, "ready");
  await stopped.promise;
}

/** Tries again while the servers are still starting. */
async function untilThere<T>(signal: AbortSignal, connect: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + connectWithinMs;
  for (let tries = 1; ; tries++) {
    try {
      return await connect();
    } catch (error) {
      const { severity } = AppError.from(error);
      if (severity !== "retryable" || Date.now() > deadline || signal.aborted) throw error;
      await delay(Math.min(2_000, 100 * 2 ** tries), undefined, { signal });
    }
  }
}
