import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { ExecStream } from "@microremed/cluster/kubeconfig";
import { terminal } from "@microremed/core";
import type { ApiRoute } from "../api-route.ts";
import { createOutputBuffer } from "../output-buffer.ts";
import { MAX_OUTPUT_BYTES, type ProcessEnd } from "../run-process.ts";
import type { PodsSandbox } from "../sandbox.types.ts";
import type { PodEnd } from "./pod-trouble.ts";
import { type Job, loaded, supervisor } from "./programs.ts";
import { type Runner, unavailable } from "./start-runner.ts";

/** A program to run in a runner pod. */
export interface PodRun {
  readonly job: Job;
  /** The one way out; undefined: none. */
  readonly route: ApiRoute | undefined;
  /** Wall clock, ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** A program that a signal ended, as shells count: the kernel may have ended it for its memory. */
const killed = 137;
/** Until the kubelet has reported what became of a container, ms. */
const reportWithinMs = 5_000;
/** Until the last output is here, after its end is, ms. */
const outputWithinMs = 300;
const checkEveryMs = 250;
const local = /^(localhost|127\.0\.0\.1)$/;

/**
 * Runs a program in a pod of its own, which is deleted afterwards. Throws `sandbox-unavailable`: retryable while the
 * program has not started, and terminal when it is not known what became of it. That is never said of a program which ended,
 * or which used more than it may.
 */
export async function runInPod({ runners }: PodsSandbox, run: PodRun): Promise<ProcessEnd> {
  const { route, timeoutMs, signal } = run;
  const names = route && !local.test(route.insideName) ? [route.insideName] : [];
  await using runner = await runners.take({ names, timeoutMs }, signal);
  using relay = route?.open();
  const exec = await prepare(runner, run, relay?.accept);
  const startedAt = performance.now();
  const wallSeconds = (): number => (performance.now() - startedAt) / 1000;
  const output = createOutputBuffer();
  try {
    const stopped = Promise.withResolvers<"flooded">();
    exec.output.on("data", (chunk: Buffer) => {
      output.add(chunk);
      if (output.size <= MAX_OUTPUT_BYTES) return;
      exec.output.destroy();
      stopped.resolve("flooded");
    });
    const ended = once(exec.output, "end").catch(() => undefined);
    exec.stdin.write(loaded(supervisor, JSON.stringify(run.job)));
    const how = await first(exec, runner, run, stopped.promise);
    signal?.throwIfAborted();
    if (typeof how === "number") await Promise.race([ended, delay(outputWithinMs)]);
    const end = await endOf(how, runner, wallSeconds() * 1000 >= timeoutMs);
    return { ...end, output: output.text(), wallSeconds: wallSeconds() };
  } finally {
    exec[Symbol.dispose]();
  }
}

/** All that can fail before the program has started. */
async function prepare(
  runner: Runner,
  { route }: PodRun,
  accept: Parameters<Runner["tunnel"]["listen"]>[1] | undefined,
): Promise<ExecStream> {
  try {
    if (route && accept) await runner.tunnel.listen(route.insidePort, accept);
    return await runner.exec();
  } catch (thrown) {
    throw unavailable(thrown);
  }
}

/** What ends a run: its exit code, a limit, or why there will be no news of it. */
type HowEnded = number | "timed-out" | "flooded" | { readonly lost: string };

async function first(
  exec: ExecStream,
  { tunnel }: Runner,
  { timeoutMs, signal }: PodRun,
  flooded: Promise<"flooded">,
): Promise<HowEnded> {
  const over = new AbortController();
  const timer = delay(timeoutMs, "timed-out" as const, { signal: over.signal });
  timer.catch(() => undefined);
  const aborted = Promise.withResolvers<HowEnded>();
  const abort = (): void => aborted.resolve({ lost: "its caller gave up" });
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([
      exec.ended.catch((error: Error) => ({ lost: error.message })),
      tunnel.closed.then((why) => ({ lost: `the pod's gateway: ${why}` })),
      timer,
      flooded,
      aborted.promise,
    ]);
  } finally {
    over.abort();
    signal?.removeEventListener("abort", abort);
  }
}

async function endOf(
  how: HowEnded,
  runner: Runner,
  isLate: boolean,
): Promise<Pick<ProcessEnd, "how" | "exitCode">> {
  if (how === "timed-out" || how === "flooded") return { how, exitCode: null };
  if (typeof how === "number" && how !== killed) return { how: "exited", exitCode: how };
  const end = await reported(runner);
  if (end?.how === "exhausted") return { how: "exhausted", exitCode: null };
  if (typeof how === "number") return { how: "exited", exitCode: how };
  if (end?.how === "late" && isLate) return { how: "timed-out", exitCode: null };
  throw terminal(
    "sandbox-unavailable",
    `runner pod ${runner.name} was lost while a program ran in it: ${how.lost}${end ? `; the pod: ${end.why}` : ""}`,
    { pod: runner.name },
  );
}

/** What the cluster says of a pod's end; undefined: it says nothing in time. */
async function reported(runner: Runner): Promise<PodEnd | undefined> {
  const startedAt = performance.now();
  for (;;) {
    const end = await runner.end().catch(() => undefined);
    if (end || performance.now() - startedAt > reportWithinMs) return end;
    await delay(checkEveryMs);
  }
}
