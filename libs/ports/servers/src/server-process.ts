import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { busyFactor, retryable } from "@microremed/core";
import { makeOwnedDirectory } from "./owned-directory.ts";
import { endProcess, whenOrphaned } from "./when-orphaned.ts";

/** A server that this process started; disposing stops it (by its pid) and removes its folder if it was a temporary one. */
export interface RunningServer extends AsyncDisposable {
  /** How clients reach it. Redis: with the password; NATS: without (user and password go beside it). */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dir: string;
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
}

export interface ServerProcessSpec {
  readonly name: string;
  readonly program: string;
  /** Given: kept after the stop, so that a restart finds its data. */
  readonly dir: string | undefined;
  /** Text of the configuration file; it may hold secrets, so it is written 0600 and never passed as an argument. */
  config(dir: string): string;
  args(configFile: string): string[];
  /** The port once the server answers, `undefined` while it does not. */
  answer(dir: string, pid: number): Promise<number | undefined>;
  url(port: number): string;
}

/** Until a started server answers, multiplied by `busyFactor`. */
const readyWithinMs = 15_000;
/** From SIGTERM to SIGKILL: both servers write their files before they end. */
const stopWithinMs = 5_000;

/**
 * Starts a server and returns when it answers. Throws `deadline-exceeded` with the tail of its log otherwise.
 * Its output goes to a log file in its folder. When this process is killed, the server ends within seconds, and its
 * folder with it if it was a temporary one.
 */
export async function startServerProcess(spec: ServerProcessSpec): Promise<RunningServer> {
  const dir = spec.dir ?? (await makeOwnedDirectory(spec.name));
  await using started = new AsyncDisposableStack();
  if (spec.dir === undefined) started.defer(() => rm(dir, { recursive: true, force: true }));
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const configFile = join(dir, `${spec.name}.conf`);
  await writeFile(configFile, spec.config(dir), { mode: 0o600 });
  const server = started.adopt(await launch(spec, dir, configFile), ({ stop }) => stop());
  const port = await untilAnswers(spec, dir, server);
  const owned = started.move();
  return {
    url: spec.url(port),
    port,
    pid: server.pid,
    dir,
    ended: server.ended,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Launched {
  readonly pid: number;
  readonly running: boolean;
  readonly ended: Promise<void>;
  readonly logFile: string;
  stop(): Promise<void>;
}

async function launch(spec: ServerProcessSpec, dir: string, configFile: string): Promise<Launched> {
  const logFile = join(dir, `${spec.name}.log`);
  const log = await open(logFile, "w", 0o600);
  // In a session of its own: who started it ends it, not a Ctrl-C in the terminal, which reaches all at once.
  const child: ChildProcess = spawn(spec.program, spec.args(configFile), {
    cwd: dir,
    stdio: ["ignore", log.fd, log.fd],
    detached: true,
  });
  const ended = once(child, "exit").then(
    () => undefined,
    () => undefined,
  );
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw retryable("internal", `${spec.program} could not be started`);
  const guard =
    spec.dir === undefined
      ? whenOrphaned(`${endProcess}; rm -rf "$2"`, [String(pid), dir])
      : whenOrphaned(endProcess, [String(pid)]);
  let running = true;
  void ended.then(() => {
    running = false;
    guard.release();
  });
  return {
    pid,
    ended,
    logFile,
    get running() {
      return running;
    },
    async stop() {
      if (!running) return;
      child.kill("SIGTERM");
      const force = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
      await ended;
      clearTimeout(force);
    },
  };
}

async function untilAnswers(spec: ServerProcessSpec, dir: string, server: Launched): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < readyWithinMs * busyFactor() && server.running) {
    const port = await spec.answer(dir, server.pid);
    if (port !== undefined) return port;
    await delay(15);
  }
  const why = server.running
    ? `did not answer within ${Math.round((performance.now() - startedAt) / 1000)} s`
    : "ended at once";
  const log = await readFile(server.logFile, "utf8").catch(() => "");
  throw retryable("deadline-exceeded", `${spec.name} ${why}: ${log.slice(-2000).trim()}`, { dir });
}

const portTries = 10;

/** Tries again while the port is taken: by another process, or by the dying predecessor on the same one. */
export async function unlessInUse(start: () => Promise<RunningServer>): Promise<RunningServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await start();
    } catch (error) {
      if (tries >= portTries || !String(error).includes("in use")) throw error;
      await delay(50 * tries);
    }
  }
}
