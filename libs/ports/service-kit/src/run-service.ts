import { AppError, foreignOwner } from "@microremed/core";
import type { z } from "zod";
import { assertNode } from "./assert-node.ts";
import { backboneConfig } from "./backbone-config.ts";
import { createLogger, type ServiceLogger } from "./logger.ts";
import { openService, type ServiceDefinition } from "./open-service.ts";
import { parseConfig } from "./parse-config.ts";

/** How long an orderly stop may take. */
const stopWithinMs = 20_000;
/** How long it may take when the parent process is gone, and NATS and Redis perhaps with it. */
const stopAloneWithinMs = 3_000;

/**
 * Runs a service as a process until SIGTERM or SIGINT: opens it with the process's environment variables and closes
 * everything in reverse order at the end.
 * Started with an IPC channel (as a local stack does), it also stops when the channel closes: no process is left then to
 * stop it. A wrong configuration ends the process with 2, a defect with 1; what an agent's code leaves unhandled ends nothing.
 */
export async function runService<S extends z.ZodRawShape>(definition: ServiceDefinition<S>): Promise<void> {
  const { name, config } = definition;
  let log = createLogger({ service: name, level: "info" });
  try {
    assertNode();
    const { LOG_LEVEL: level } = parseConfig({ ...backboneConfig, ...config }, process.env) as {
      LOG_LEVEL: "debug" | "info" | "warn" | "error";
    };
    log = createLogger({ service: name, level });
    for (const event of ["unhandledRejection", "uncaughtException"] as const) {
      process.on(event, (reason: unknown) => {
        const error = AppError.from(reason);
        const owner = foreignOwner();
        if (owner === undefined) die(log, error, 1);
        else log.warn({ error_stack: stackOf(error) }, `left an error unhandled, nothing ends: ${owner}`);
      });
    }
    await runUntilStopped(definition, log);
    process.exit(0);
  } catch (thrown) {
    const error = AppError.from(thrown);
    die(log, error, error.code === "invalid-config" || error.code === "missing-tool" ? 2 : 1);
  }
}

function die(log: ServiceLogger, error: AppError, exitCode: number): void {
  log.error(
    { error_code: error.code, error_message: error.message, error_stack: stackOf(error) },
    "the service ends",
  );
  // The line above is written asynchronously.
  setTimeout(() => process.exit(exitCode), 50);
}

const stackOf = (error: AppError): string | undefined =>
  (error.cause instanceof Error ? error.cause : error).stack;

async function runUntilStopped<S extends z.ZodRawShape>(
  definition: ServiceDefinition<S>,
  log: ServiceLogger,
): Promise<void> {
  const { signal, interrupt } = stopSignals(log);
  const stopped = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  try {
    await using _service = await openService(definition, { variables: process.env, log, signal, interrupt });
    await stopped;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
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
