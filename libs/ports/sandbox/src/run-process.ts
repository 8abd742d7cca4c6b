import { type ChildProcess, spawn } from "node:child_process";
import { Server, Socket } from "node:net";
import type { Readable } from "node:stream";
import { terminal } from "@microremed/core";
import type { OrphanGuard } from "@microremed/servers";
import { createOutputBuffer } from "./output-buffer.ts";

export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Contents handed over on file descriptors 3, 4, ... */
  readonly inputs: readonly (string | Uint8Array)[];
  /** Becomes the process's standard input, and is then closed here. Default: nothing to read. */
  readonly stdin?: Socket;
  readonly user: { readonly uid: number; readonly gid: number } | undefined;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Ends it as `stopped`, with what it has printed. */
  readonly stop?: AbortSignal | undefined;
  /** Called with what the process writes to the descriptor after those of `inputs`. */
  readonly onInfo?: (text: string) => void;
  /** Called with its number before `inputs` are written, for what must hold before it does anything; when it throws, the process ends. */
  readonly onSpawn?: (pid: number) => void;
  /** Gives the process an IPC channel, and receives the listening socket that it hands over. */
  readonly onServer?: (server: Server) => void;
  /** Sees to the end of the process group if this process is killed; bubblewrap does so itself. */
  readonly guard?: (pid: number) => OrphanGuard;
  /** Asked every 250 ms: true ends the process as `exhausted`. */
  readonly isExhausted?: () => boolean;
}

/** How a process ended. `output` is stdout and stderr as they came; `wallSeconds` is wall clock. */
export interface ProcessEnd {
  /** `flooded`: stopped because it printed more than 64 MiB; `exhausted`: because it used more than it may; `stopped`: by `stop`. */
  readonly how: "exited" | "timed-out" | "flooded" | "exhausted" | "stopped";
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly output: string;
  readonly wallSeconds: number;
}

/** No playbook prints this much; without a bound a loop would print for the whole deadline. */
export const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
/** From SIGTERM to SIGKILL. */
const TERM_GRACE_MS = 1000;
/** A background child that left the process group may hold the pipe open; it is not waited for longer than this. */
const PIPE_GRACE_MS = 300;
const CHECK_EVERY_MS = 250;

/**
 * Runs a process in a group of its own and returns when it has ended, at the latest shortly after the deadline: the
 * whole group is then killed. Output is bounded while it is read. Throws the signal's reason when aborted, and
 * `missing-tool` when the program cannot be started.
 */
export async function runProcess(spec: ProcessSpec): Promise<ProcessEnd> {
  spec.signal?.throwIfAborted();
  const startedAt = performance.now();
  const output = createOutputBuffer();
  const pipes = [...spec.inputs, ...(spec.onInfo ? ["info"] : [])].map(() => "pipe" as const);
  const stdin = spec.stdin ?? "ignore";
  const stdio = [stdin, "pipe", "pipe", ...pipes, ...(spec.onServer ? ["ipc" as const] : [])] as const;
  const child = spawn(spec.command, spec.args, {
    env: spec.env,
    cwd: spec.cwd,
    stdio: [...stdio],
    detached: true,
    ...spec.user,
  });
  if (child.pid !== undefined) prepareSpawned(child, spec);
  const guard = child.pid === undefined ? undefined : spec.guard?.(child.pid);
  spec.stdin?.destroy();
  const streams = [child.stdout, child.stderr];
  if (child.pid !== undefined) for (const stream of streams) nothingToReadFrom(stream);
  const ending: { how: ProcessEnd["how"] | "aborted" } = { how: "exited" };

  const killGroup = (signal: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The group is gone, which is what was wanted.
    }
  };
  const timers: NodeJS.Timeout[] = [];
  let checking: NodeJS.Timeout | undefined;
  const stop = (how: typeof ending.how): void => {
    if (ending.how !== "exited") return;
    ending.how = how;
    killGroup("SIGTERM");
    timers.push(setTimeout(() => killGroup("SIGKILL"), TERM_GRACE_MS));
  };
  const onAbort = (): void => stop("aborted");
  spec.signal?.addEventListener("abort", onAbort, { once: true });
  const onStop = (): void => stop("stopped");
  spec.stop?.addEventListener("abort", onStop, { once: true });
  if (spec.stop?.aborted) onStop();
  timers.push(setTimeout(() => stop("timed-out"), spec.timeoutMs));
  if (spec.isExhausted) {
    const { isExhausted } = spec;
    checking = setInterval(() => isExhausted() && stop("exhausted"), CHECK_EVERY_MS);
    timers.push(checking);
  }

  for (const stream of streams) {
    stream?.on("data", (chunk: Buffer) => {
      output.add(chunk);
      if (output.size > MAX_OUTPUT_BYTES) {
        stream.destroy();
        stop("flooded");
      }
    });
  }
  for (const [index, content] of spec.inputs.entries()) {
    const pipe = child.stdio[3 + index];
    if (pipe && "end" in pipe) pipe.on("error", () => {}).end(content);
  }
  const info = child.stdio[3 + spec.inputs.length];
  if (spec.onInfo && info) info.on("data", (chunk: Buffer) => spec.onInfo?.(chunk.toString("utf8")));
  child.on("message", (_message, handle) => {
    if (handle instanceof Server) spec.onServer?.(handle);
  });

  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (error) =>
        reject(terminal("missing-tool", `could not start ${spec.command}: ${error.message}`, {}, error)),
      );
      child.once("close", (code) => resolve(code));
      child.once("exit", (code) => {
        // What has ended uses nothing; its number may be another's.
        clearInterval(checking);
        killGroup("SIGKILL");
        timers.push(setTimeout(() => resolve(code), PIPE_GRACE_MS));
      });
    });
    if (ending.how === "aborted") throw spec.signal?.reason;
    return {
      how: ending.how,
      exitCode: ending.how === "exited" ? exitCode : null,
      output: output.text(),
      wallSeconds: (performance.now() - startedAt) / 1000,
    };
  } finally {
    guard?.release();
    for (const timer of timers) clearTimeout(timer);
    spec.signal?.removeEventListener("abort", onAbort);
    spec.stop?.removeEventListener("abort", onStop);
    for (const stream of streams) stream?.destroy();
  }
}

/**
 * A process can read from its outputs too, which are sockets. Programs for a terminal do so when their input is none, such as vim, and
 * would wait for keys until the deadline. So they find the end there.
 */
function nothingToReadFrom(output: Readable | null): void {
  if (output instanceof Socket) output.on("error", () => {}).end();
}

/** A process that cannot be bounded as it must be never gets what it waits for. */
function prepareSpawned(child: ChildProcess, { onSpawn }: ProcessSpec): void {
  try {
    onSpawn?.(child.pid ?? 0);
  } catch (error) {
    child.on("error", () => {}).kill("SIGKILL");
    for (const stream of child.stdio) stream?.on("error", () => {}).destroy();
    throw error;
  }
}
