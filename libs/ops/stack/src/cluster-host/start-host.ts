import { type ChildProcess, spawn } from "node:child_process";
import { on, once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { AppError, busyFactor, retryable } from "@microremed/core";
import { programOf } from "@microremed/core/bundle";
import { endProcess, whenOrphaned } from "@microremed/servers";
import { compileCache } from "../compile-cache.ts";
import { inheritedVariables } from "../service-environment.ts";
import { endWhenSilent } from "./end-when-silent.ts";
import type {
  ClusterWork,
  HostAnswer,
  HostWork,
  RunningCluster,
  ServiceWork,
} from "./host-messages.types.ts";

/**
 * A process with embedded clusters, and with services that work on them in the same process. It ends with this process,
 * however that ends.
 */
export interface ClusterHost extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly clusters: readonly RunningCluster[];
  /** How it ended, in words; pending while it runs. */
  readonly ended: Promise<string>;
  /**
   * Starts the services, once; returns the ports of their health servers, in their order. Throws `start-failed`
   * (retryable) with the end of the log of the one that did not start, or of the process.
   */
  serve(work: Pick<ServiceWork, "services" | "former">): Promise<readonly number[]>;
}

/** What services and compiled code take, and one cluster: its store holds at most 96 MiB. */
const OLD_HEAP_MIB = 512;
/**
 * For each further cluster. A cluster of train-ticket holds about 12 MiB; the bound also decides how much garbage V8 lets
 * gather.
 */
const MORE_HEAP_MIB = 128;
/** V8 would take 64 in a busy process and keep that much garbage, for no gain in speed that shows. */
const SEMI_SPACE_MIB = 16;
const STOP_WITHIN_MS = 5_000;
/** Wall clock on an idle machine. */
const READY_WITHIN_MS = 60_000;
const LOG_TAIL_CHARACTERS = 2_000;
const main = new URL("./host-main.ts", import.meta.url);

/**
 * Starts embedded clusters in a process of their own and returns when they run. What the process prints is in `logFile`.
 * Throws `start-failed` (retryable) with the end of that when it ends instead, and the signal's reason.
 */
export async function startClusterHost(
  work: Omit<ClusterWork, "kind">,
  logFile: string,
  signal?: AbortSignal,
): Promise<ClusterHost> {
  const log = await open(logFile, "a", 0o600);
  const heapMiB = OLD_HEAP_MIB + MORE_HEAP_MIB * (work.names.length - 1);
  const heap = [`--max-old-space-size=${heapMiB}`, `--max-semi-space-size=${SEMI_SPACE_MIB}`];
  const child = spawn(process.execPath, [...heap, programOf(main)], {
    // Playbooks run as its children; keys of models are none of its business.
    env: { ...inheritedVariables(), NODE_COMPILE_CACHE: compileCache },
    stdio: ["ignore", log.fd, log.fd, "ipc"],
    // In a session of its own: a Ctrl-C in the terminal is for us.
    detached: true,
  });
  child.on("error", () => {});
  const watch = endWhenSilent(child);
  const ended = endOf(child, logFile, heapMiB).then((how) => watch.silence ?? how);
  const guard = child.pid === undefined ? undefined : whenOrphaned(endProcess, [String(child.pid)]);
  void ended.then(() => {
    watch[Symbol.dispose]();
    guard?.release();
  });
  // On a busy machine the process may end before this does.
  await log.close();
  const stop = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    const force = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
    await ended.finally(() => clearTimeout(force));
  };
  const [name = "none"] = work.names;
  /** Sends work and waits for the answer to it. */
  const ask = async (message: HostWork, within?: AbortSignal): Promise<HostAnswer> => {
    const late = AbortSignal.timeout(Math.round(READY_WITHIN_MS * busyFactor()));
    const answered = nextAnswer(child, within ? AbortSignal.any([within, late]) : late);
    child.send(message);
    return Promise.race([
      answered,
      ended.then((how) => notStarted(`the embedded cluster ${name}`, how, logFile)),
    ]);
  };
  try {
    const answer = await ask({ kind: "clusters", ...work }, signal);
    const clusters = answer.kind === "clusters" ? answer.clusters : [];
    return {
      pid: child.pid,
      clusters,
      ended,
      async serve(services) {
        const said = await ask({ kind: "services", ...services }, signal);
        if (said.kind === "services") return said.healthPorts;
        const failed = said.kind === "failed" ? said.service : "?";
        const log = services.services.find(({ service }) => service === failed)?.logFile ?? logFile;
        return notStarted(`service ${failed}`, await ended, log);
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    signal?.throwIfAborted();
    throw AppError.from(error);
  }
}

/** The next that is more than a sign of life. */
async function nextAnswer(child: ChildProcess, signal: AbortSignal): Promise<HostAnswer> {
  for await (const [message] of on(child, "message", { signal })) {
    const answer: HostAnswer = message;
    if (answer.kind !== "alive") return answer;
  }
  throw signal.reason;
}

async function notStarted(what: string, how: string, logFile: string): Promise<never> {
  const tail = (await readFile(logFile, "utf8").catch(() => "")).slice(-LOG_TAIL_CHARACTERS).trim();
  throw retryable(
    "start-failed",
    `${what} did not start (${how}); the end of its log (${logFile}):\n${tail || "(empty)"}`,
  );
}

async function endOf(child: ChildProcess, logFile: string, heapMiB: number): Promise<string> {
  const [code, signal] = await once(child, "exit").catch((error: Error) => [null, error.message]);
  const said = await readFile(logFile, "utf8").catch(() => "");
  if (/heap out of memory|heap limit/i.test(said.slice(-10_000)))
    return `it used more than ${heapMiB} MiB of memory`;
  if (code === null) return `ended by ${signal}`;
  const [error] = /^\w*Error\b.*$/m.exec(said.slice(-LOG_TAIL_CHARACTERS * 5)) ?? [];
  return `exit code ${code}${error === undefined ? "" : `: ${error.slice(0, 300)}`}`;
}
