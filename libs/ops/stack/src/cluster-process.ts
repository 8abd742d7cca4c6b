import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { AppError, busyFactor, retryable } from "@microremed/core";
import { endProcess, whenOrphaned } from "@microremed/servers";
import type { ClusterWork, RunningCluster } from "./cluster-worker.types.ts";
import { compileCache } from "./compile-cache.ts";

/** The process of one embedded cluster. It ends with this process, however that ends. */
export interface ClusterProcess extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly cluster: RunningCluster;
  /** How it ended, in words; pending while it runs. */
  readonly ended: Promise<string>;
}

/** A cluster of train-ticket holds about 12 MiB, and its store at most 96; the bound also decides how much garbage V8 lets gather. */
const OLD_HEAP_MIB = 512;
/** V8 would take 64 in a busy process and keep that much garbage, for no gain in speed that shows. */
const SEMI_SPACE_MIB = 16;
const STOP_WITHIN_MS = 2_000;
/** Wall clock on an idle machine. */
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;
const main = fileURLToPath(new URL("./cluster-worker.ts", import.meta.url));

/**
 * Starts an embedded cluster in a process of its own and returns when it runs. What the process prints is in `logFile`.
 * Throws `start-failed` (retryable) with the end of that when it ends instead, and the signal's reason.
 */
export async function startClusterProcess(
  work: ClusterWork,
  logFile: string,
  signal?: AbortSignal,
): Promise<ClusterProcess> {
  const log = await open(logFile, "a", 0o600);
  const heap = [`--max-old-space-size=${OLD_HEAP_MIB}`, `--max-semi-space-size=${SEMI_SPACE_MIB}`];
  const child = spawn(process.execPath, [...heap, main], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    stdio: ["ignore", log.fd, log.fd, "ipc"],
    // In a session of its own: a Ctrl-C in the terminal is for us.
    detached: true,
  });
  await log.close();
  child.on("error", () => {});
  const ended = endOf(child, logFile);
  const guard = child.pid === undefined ? undefined : whenOrphaned(endProcess, [String(child.pid)]);
  void ended.then(() => guard?.release());
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    const force = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await ended.finally(() => clearTimeout(force));
  };
  try {
    const late = AbortSignal.timeout(Math.round(READY_WITHIN_MS * busyFactor()));
    const answered = once(child, "message", { signal: signal ? AbortSignal.any([signal, late]) : late });
    child.send(work);
    const cluster = await Promise.race([
      answered.then(([message]) => message as RunningCluster),
      ended.then((how) => notStarted(work.name, how, logFile)),
    ]);
    return { pid: child.pid, cluster, ended, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw AppError.from(error);
  }
}

async function notStarted(name: string, how: string, logFile: string): Promise<never> {
  const tail = (await readFile(logFile, "utf8").catch(() => "")).slice(-LOG_TAIL_CHARACTERS).trim();
  throw retryable(
    "start-failed",
    `the embedded cluster ${name} did not start (${how}):\n${tail || "(empty)"}`,
  );
}

async function endOf(child: ChildProcess, logFile: string): Promise<string> {
  const [code, signal] = await once(child, "exit").catch((error: Error) => [null, error.message]);
  const said = await readFile(logFile, "utf8").catch(() => "");
  if (/heap out of memory|heap limit/i.test(said.slice(-10_000)))
    return `it used more than ${OLD_HEAP_MIB} MiB of memory`;
  return code === null ? `ended by ${signal}` : `exit code ${code}`;
}
