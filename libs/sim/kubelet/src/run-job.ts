import { appendLog, type ContainerRuntime, type Network, type PodSandbox } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";
import { copyFiles } from "./copy-files.ts";

/** What a program that ends by itself needs of the kubelet. */
export interface JobDeps {
  readonly loop: EventLoop;
  readonly network: Network;
  readonly runtime: ContainerRuntime;
  readonly sandbox: PodSandbox;
  /** Runs a task after so many ms, if the container still runs then. */
  readonly later: (ms: number, task: () => void) => void;
  /** Runs a task when the CPU work is done. */
  readonly afterWork: (task: () => void) => void;
  /** Ends it, with lines to its standard error. */
  readonly end: (exitCode: number, ...saying: readonly string[]) => void;
}

/** Exit code of a program that gives up because a call fails. */
const failed = 1;

/** A Job's program does its CPU work, makes its calls, spread over its time, and ends. */
export function runJob({ loop, network, runtime, sandbox, later, afterWork, end }: JobDeps): void {
  const { ends, logs } = runtime.behaviour ?? {};
  const { afterSeconds = 0, exitCode = 0, says = [] } = ends ?? {};
  const calls = network.callsOfJob(runtime);
  const pauseMs = (1000 * afterSeconds) / Math.max(1, calls.length);

  function say(lines: readonly string[] = []): void {
    for (const text of lines) appendLog(runtime, { at: loop.now(), stream: "stdout", text });
  }

  function finish(): void {
    say(says);
    end(exitCode);
  }

  function make(index: number, tries: number): void {
    const call = calls[index];
    if (!call) {
      finish();
      return;
    }
    const { ok, elapsedMs, error } = network.callOfJob(runtime, sandbox, call);
    later(elapsedMs, () => {
      if (ok || !call.required) later(pauseMs, () => make(index + 1, 0));
      else if (tries < (call.retries ?? 0)) later(call.retryBackoffMs ?? 0, () => make(index, tries + 1));
      else end(failed, `Error: request to ${call.to} failed: ${error}`);
    });
  }

  say(logs?.starting);
  if (runtime.init) copyFiles(sandbox, runtime);
  later(0, () =>
    afterWork(() => {
      say(logs?.ready);
      if (calls.length > 0) make(0, 0);
      else later(pauseMs, finish);
    }),
  );
}
