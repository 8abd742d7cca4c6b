import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { retryable } from "@microremed/core";
import { execa } from "execa";

/** A server that this process started; disposing stops it (by its pid) and removes its folder if it was a temporary one. */
export interface RunningServer extends AsyncDisposable {
  /** How clients reach it. Redis: with the password; NATS: without (user and password go beside it). */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dir: string;
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

const readyWithinMs = 15_000;
const stopWithinMs = 5_000;

/** Starts a server and returns when it answers. Throws `deadline-exceeded` with the tail of its output otherwise. */
export async function startServerProcess(spec: ServerProcessSpec): Promise<RunningServer> {
  const dir = spec.dir ?? (await mkdtemp(join(tmpdir(), `microremed-${spec.name}-`)));
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const configFile = join(dir, `${spec.name}.conf`);
  await writeFile(configFile, spec.config(dir), { mode: 0o600 });

  const child = execa(spec.program, spec.args(configFile), {
    cwd: dir,
    stdin: "ignore",
    all: true,
    maxBuffer: 64 * 1024,
    reject: false,
    forceKillAfterDelay: stopWithinMs,
  });
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await child;
    if (spec.dir === undefined) await rm(dir, { recursive: true, force: true });
  };
  const { pid } = child;
  try {
    if (pid === undefined) throw retryable("internal", `${spec.program} could not be started`);
    const port = await untilAnswers(spec, dir, pid, child);
    return { url: spec.url(port), port, pid, dir, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilAnswers(
  spec: ServerProcessSpec,
  dir: string,
  pid: number,
  child: PromiseLike<{ all?: unknown }>,
): Promise<number> {
  let ended: string | undefined;
  void child.then((result) => {
    ended = String(result.all ?? "");
  });
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && ended === undefined) {
    const port = await spec.answer(dir, pid);
    if (port !== undefined) return port;
    await delay(15);
  }
  const why = ended === undefined ? `did not answer within ${readyWithinMs / 1000} s` : "ended at once";
  throw retryable("deadline-exceeded", `${spec.name} ${why}: ${(ended ?? "").slice(-2000).trim()}`, { dir });
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
