import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { ErrorCode } from "@microremed/contracts";
import { busyFactor, type Logger, retryable } from "@microremed/core";
import { endProcess, freePort, whenOrphaned } from "@microremed/servers";
import { compileCache } from "./compile-cache.ts";

export interface ServiceSpec {
  /** Name with replica, e.g. `executor-2`. */
  readonly name: string;
  /** Path of the service's main.ts. */
  readonly main: string;
  /** The whole environment, except HEALTH_PORT. Secrets pass here, never as arguments. */
  readonly env: Readonly<Record<string, string>>;
  /** Both output streams are appended here. */
  readonly logFile: string;
  readonly maxOldSpaceMiB: number;
  /** Wall clock on an idle machine, ms; longer on a busy one. */
  readonly readyWithinMs: number;
  readonly log: Logger;
  /** Called when it runs again, at another address, after it died. */
  readonly onRestart?: () => void;
  /** Aborted while the service starts: it is stopped again and the reason thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** A service that runs as a process of its own, is started again when it dies and ends when this process does. */
export interface ServiceProcess extends AsyncDisposable {
  readonly name: string;
  readonly logFile: string;
  /** Of the current process; undefined between two. */
  readonly pid: number | undefined;
  readonly healthUrl: string;
  readonly restarts: number;
}

/** Work in flight is delivered again to the next process, so nothing is lost by not waiting for it. */
const STOP_WITHIN_MS = 5_000;
/** A service that dies more often than this within a minute is given up. */
const MAX_DEATHS_PER_MINUTE = 20;
const LOG_TAIL_CHARACTERS = 2000;
/** V8 would let the young generation grow to 128 MiB in a busy service; with 4 it spends a fifth of its time collecting. */
const SEMI_SPACE_MIB = 16;

/**
 * Starts a service and returns when its /readyz answers. Throws with the last lines of its log:
 * `deadline-exceeded` when it does not in time, `start-failed` when it ends instead.
 */
export async function startService(spec: ServiceSpec): Promise<ServiceProcess> {
  let current = await launch(spec);
  let restarts = 0;
  let stopping = false;
  const deaths: number[] = [];

  const stop = async (): Promise<void> => {
    stopping = true;
    await current.stop();
  };
  try {
    await untilReady(spec, current);
  } catch (error) {
    await stop();
    throw error;
  }

  const supervise = async (): Promise<void> => {
    for (;;) {
      const end = await current.ended;
      if (stopping) return;
      const now = performance.now();
      deaths.push(now);
      const recent = deaths.filter((at) => now - at < 60_000).length;
      if (recent > MAX_DEATHS_PER_MINUTE) {
        spec.log.error({ service: spec.name, end }, "service keeps dying and is given up");
        return;
      }
      spec.log.warn({ service: spec.name, end, restarts: restarts + 1 }, "service died and is started again");
      await delay(Math.min(50 * 2 ** recent, 5000));
      if (stopping) return;
      current = await launch(spec);
      restarts++;
      spec.onRestart?.();
      if (stopping) await current.stop();
    }
  };
  const supervision = supervise();

  return {
    name: spec.name,
    logFile: spec.logFile,
    get pid() {
      return current.running ? current.pid : undefined;
    },
    get healthUrl() {
      return current.healthUrl;
    },
    get restarts() {
      return restarts;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await supervision;
      await current.stop();
    },
  };
}

interface Running {
  readonly pid: number | undefined;
  readonly healthUrl: string;
  readonly running: boolean;
  /** How it ended, in words. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

async function launch(spec: ServiceSpec): Promise<Running> {
  const port = await freePort();
  const log = await open(spec.logFile, "a", 0o600);
  const heap = [`--max-old-space-size=${spec.maxOldSpaceMiB}`, `--max-semi-space-size=${SEMI_SPACE_MIB}`];
  const child = spawn(process.execPath, [...heap, spec.main], {
    env: { NODE_COMPILE_CACHE: compileCache, ...spec.env, HEALTH_PORT: String(port) },
    // The channel closes with this process, however it ends, and the service then ends too (see service-kit).
    stdio: ["ignore", log.fd, log.fd, "ipc"],
    // In a session of its own: a Ctrl-C in the terminal is for us, who end the service.
    detached: true,
  });
  child.on("error", () => {});
  let running = true;
  const ended = once(child, "exit").then(
    ([code, signal]) => (code === null ? `ended by ${signal}` : `exit code ${code}`),
    (error: Error) => `could not be started: ${error.message}`,
  );
  // For a service that does not end by itself when we are killed: one that hangs, or that was stopped.
  const guard = child.pid === undefined ? undefined : whenOrphaned(endProcess, [String(child.pid)]);
  void ended.then(() => {
    running = false;
    guard?.release();
  });
  // On a busy machine the process may end before this does.
  await log.close();
  return {
    pid: child.pid,
    healthUrl: `http://127.0.0.1:${port}`,
    get running() {
      return running;
    },
    ended,
    async stop() {
      if (!running) return;
      // Closed first, so that the service gives up the work in flight instead of finishing it.
      if (child.connected) child.disconnect();
      child.kill("SIGTERM");
      const force = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(force);
    },
  };
}

async function untilReady(spec: ServiceSpec, service: Running): Promise<void> {
  const startedAt = performance.now();
  while (service.running) {
    spec.signal?.throwIfAborted();
    if (await isReady(service.healthUrl)) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > spec.readyWithinMs * busyFactor()) {
      const words = `was not ready within ${Math.round(waitedMs / 100) / 10} s`;
      throw await notReady(spec, "deadline-exceeded", words);
    }
    await Promise.race([service.ended, delay(40)]);
  }
  throw await notReady(spec, "start-failed", `did not start (${await service.ended})`);
}

async function isReady(healthUrl: string): Promise<boolean> {
  try {
    const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

async function notReady(spec: ServiceSpec, code: ErrorCode, what: string): Promise<Error> {
  const text = await readFile(spec.logFile, "utf8").catch(() => "");
  const tail = text.slice(-LOG_TAIL_CHARACTERS).trim();
  return retryable(
    code,
    `service ${spec.name} ${what}; the end of its log (${spec.logFile}):\n${tail || "(empty)"}`,
    { service: spec.name },
  );
}
