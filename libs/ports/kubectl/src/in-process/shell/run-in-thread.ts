import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { programOf } from "@microremed/core/bundle";
import type { FromShell, Printed, ShellOrder, ShellQuestion, ToShell } from "./messages.types.ts";

/** CPU that one script may take, s. */
const usualSeconds = 10;
/** How often that is looked up, ms of wall clock. */
const watchMs = 500;
/** What a script may still take to end once it is stopped, ms of wall clock. */
const stopMs = 5_000;
const mostMemoryMi = 256;
/** Threads that wait for the next script; starting one takes some 0.2 s of CPU. */
const mostIdle = 4;

let idle: Worker[] = [];

/** What a script is given while it runs. */
export interface ShellHost {
  /** Rejects with what is to fail in the script. */
  readonly answer: (question: ShellQuestion) => Promise<Printed | undefined>;
  /** Ends the script. */
  readonly signal: AbortSignal;
  /** CPU that the script may take, s; 10 if it is not given. */
  readonly mostSeconds?: number;
}

/**
 * Runs a script in a thread of its own: what it computes delays no one in this process, and more than 10 s of CPU or 256 MiB of
 * memory end it with the code 137 and a message. Rejects if the shell itself fails, or is stopped by the signal.
 */
export async function runInThread(
  order: ShellOrder,
  { answer, signal, mostSeconds = usualSeconds }: ShellHost,
): Promise<Printed> {
  const thread = idle.find(isAlive) ?? startThread();
  idle = idle.filter((one) => one !== thread && isAlive(one));
  thread.ref();
  const end = Promise.withResolvers<Printed>();
  const post = (message: ToShell): void => thread.postMessage(message);
  let isSpent = false;
  const ended = (why: string): void => {
    isSpent = true;
    end.resolve({ stdout: "", stderr: `error: the script was ended: ${why}\n`, exitCode: 137 });
  };
  const onMessage = (message: FromShell): void => {
    if ("end" in message) end.resolve(message.end);
    else if ("failed" in message) end.reject(new Error(message.failed));
    else {
      const { id } = message;
      answer(message.question).then(
        (given) => post({ id, answer: given }),
        (thrown: unknown) => post({ id, error: thrown instanceof Error ? thrown.message : String(thrown) }),
      );
    }
  };
  const onError = (thrown: Error & { code?: string }): void =>
    thrown.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? ended(`it took more than ${mostMemoryMi} MiB of memory`)
      : end.reject(thrown);
  const late = new AbortController();
  const onStop = async (): Promise<void> => {
    post({ stop: true });
    await delay(stopMs, undefined, { signal: late.signal }).then(
      () => ended("it was stopped"),
      () => {},
    );
  };
  const onExit = (): void => ended("its thread has ended");
  thread.on("message", onMessage).once("error", onError).once("exit", onExit);
  signal.addEventListener("abort", onStop);
  const before = await cpuSeconds(thread);
  const watch = setInterval(async () => {
    if ((await cpuSeconds(thread)) - before > mostSeconds)
      ended(`it computed for more than ${mostSeconds} s`);
  }, watchMs);
  post(order);
  if (signal.aborted) void onStop();
  try {
    return await end.promise;
  } catch (thrown) {
    isSpent = true;
    throw thrown;
  } finally {
    clearInterval(watch);
    late.abort();
    signal.removeEventListener("abort", onStop);
    thread.off("message", onMessage).off("error", onError).off("exit", onExit);
    giveBack(thread, isSpent);
  }
}

function startThread(): Worker {
  return new Worker(programOf(new URL("./shell-thread.ts", import.meta.url)), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMi },
  });
}

const isAlive = ({ threadId }: Worker): boolean => threadId >= 0;

function giveBack(thread: Worker, isSpent: boolean): void {
  thread.unref();
  if (isSpent || idle.length >= mostIdle || !isAlive(thread)) void thread.terminate();
  else idle.push(thread);
}

/** CPU of a thread since it was started; of one that has ended, none. */
async function cpuSeconds(thread: Worker): Promise<number> {
  const { user, system } = await thread.cpuUsage().catch(() => ({ user: 0, system: 0 }));
  return (user + system) / 1e6;
}
