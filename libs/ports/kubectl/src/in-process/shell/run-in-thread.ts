import { setTimeout as delay } from "node:timers/promises";
import type { FromShell, Printed, ShellOrder, ShellQuestion, ToShell } from "./messages.types.ts";
import { cpuSeconds, giveBack, mostMemoryMi, takeThread } from "./threads.ts";

/** CPU that one script may take, s. */
const usualSeconds = 10;
/** How often that is looked up, ms of wall clock. */
const watchMs = 500;
/** What a script may still take to end once it is stopped, ms of wall clock. */
const stopMs = 5_000;

/** What a script is given while it runs. */
export interface ShellHost {
  /** Rejects with what is to fail in the script. */
  readonly answer: (question: ShellQuestion) => Promise<Printed>;
  /** The cluster's time, ms since 1970. */
  readonly now: () => Promise<number>;
  /** Ends the script. */
  readonly signal: AbortSignal;
  /** CPU that the script may take, s; 10 if it is not given. */
  readonly mostSeconds?: number;
}

/**
 * Runs a script in a thread of its own: what it computes delays no one in this process, and more than 10 s of CPU or 256 MiB of
 * memory end it with the code 137 and a message. Rejects if the shell itself fails, or is stopped by the signal.
 */
export async function runInThread(order: Omit<ShellOrder, "now">, host: ShellHost): Promise<Printed> {
  const { now, signal, mostSeconds = usualSeconds } = host;
  const thread = takeThread();
  const post = (message: ToShell): void => thread.postMessage(message);
  const end = Promise.withResolvers<Printed>();
  let isSpent = false;
  const ended = (why: string): void => {
    isSpent = true;
    end.resolve({ stdout: "", stderr: `error: the script was ended: ${why}\n`, exitCode: 137 });
  };
  const onMessage = (message: FromShell): void => {
    if ("end" in message) end.resolve(message.end);
    else if ("failed" in message) end.reject(new Error(message.failed));
    else void answered(message.id, message.question, host).then(post);
  };
  const onError = (thrown: Error & { code?: string }): void =>
    thrown.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? ended(`it took more than ${mostMemoryMi} MiB of memory`)
      : end.reject(thrown);
  const onExit = (): void => ended("its thread has ended");
  const over = new AbortController();
  const onStop = async (): Promise<void> => {
    post({ stop: true });
    const late = await delay(stopMs, true, { signal: over.signal }).catch(() => false);
    if (late) ended("it was stopped");
  };
  thread.on("message", onMessage).once("error", onError).once("exit", onExit);
  signal.addEventListener("abort", onStop);
  const before = cpuSeconds(thread);
  const watch = setInterval(async () => {
    const took = (await cpuSeconds(thread)) - (await before);
    if (took > mostSeconds) ended(`it computed for more than ${mostSeconds} s`);
  }, watchMs);
  try {
    post({ ...order, now: await now() });
    if (signal.aborted) void onStop();
    return await end.promise;
  } catch (thrown) {
    isSpent = true;
    throw thrown;
  } finally {
    clearInterval(watch);
    over.abort();
    signal.removeEventListener("abort", onStop);
    thread.off("message", onMessage).off("error", onError).off("exit", onExit);
    giveBack(thread, isSpent);
  }
}

async function answered(id: number, question: ShellQuestion, { answer, now }: ShellHost): Promise<ToShell> {
  try {
    const given = await answer(question);
    return { id, answer: given, now: await now() };
  } catch (thrown) {
    return { id, error: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
