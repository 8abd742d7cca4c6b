import { setTimeout as delay } from "node:timers/promises";
import type { FromThread, ToThread } from "./messages.types.ts";
import { askedBy, inPlace } from "./places.ts";
import { cpuSeconds, giveBack, mostMemoryMi, takeThread } from "./threads.ts";

/** CPU that one script may take, s. */
const usualSeconds = 10;
/** How often that is looked up, ms of wall clock. */
const watchMs = 500;
/** What a script may still take to end once it is stopped, ms of wall clock. */
const stopMs = 5_000;

/** A script was ended from outside; the message says why. */
export class ScriptEnded extends Error {}

/** What a script is given while it runs. */
export interface ThreadHost<Question, Answer> {
  /** Rejects with what is to fail in the script. */
  readonly answer: (question: Question) => Promise<Answer>;
  /** The cluster's time, ms since 1970. */
  readonly now: () => Promise<number>;
  /** Ends the script. */
  readonly signal: AbortSignal;
  /** CPU that the script may take, s; 10 if it is not given. */
  readonly mostSeconds?: number | undefined;
  /** Called whenever the script begins to compute and asks nothing, which it does until the promise resolves. */
  readonly onComputing?: ((until: Promise<void>) => void) | undefined;
}

/**
 * Runs a script in a thread of its own: what it computes delays no one in this process. Of one program 32 run at once, and
 * further ones wait. Rejects with `ScriptEnded` if it takes more CPU
 * than it may or more than 256 MiB of memory, or does not end when it is stopped; with what `answer` rejected with, if the script did not
 * catch it; and if the thread's program fails. `program`: URL of its source, which calls `serveThread`.
 */
export function runInThread<Order extends { readonly script: string }, Question, Answer, End>(
  program: string,
  order: Order,
  host: ThreadHost<Question, Answer>,
): Promise<End> {
  return inPlace(program, host.signal, () => run<Order, Question, Answer, End>(program, order, host));
}

async function run<Order extends { readonly script: string }, Question, Answer, End>(
  program: string,
  order: Order,
  host: ThreadHost<Question, Answer>,
): Promise<End> {
  const { now, signal, mostSeconds = usualSeconds } = host;
  const thread = takeThread(program);
  const end = Promise.withResolvers<End>();
  const failures: unknown[] = [];
  let asking = 0;
  let computed: (() => void) | undefined;
  const over = new AbortController();
  const post = (message: ToThread<Order, Answer>): void => {
    if (over.signal.aborted) return;
    thread.postMessage(message);
    if (asking > 0 || !host.onComputing) return;
    const computing = Promise.withResolvers<void>();
    computed?.();
    computed = computing.resolve;
    host.onComputing(computing.promise);
  };
  const ended = (why: string): void => end.reject(new ScriptEnded(why));

  async function answered(id: number, question: Question): Promise<void> {
    asking += 1;
    let said: { readonly answer: Answer } | { readonly thrown: unknown };
    try {
      said = { answer: await askedBy(program, () => host.answer(question)) };
    } catch (thrown) {
      said = { thrown };
    }
    asking -= 1;
    if ("answer" in said) return post({ id, answer: said.answer, now: await now() });
    const { thrown } = said;
    const { message, code } = (thrown instanceof Error ? thrown : { message: String(thrown) }) as {
      readonly message: string;
      readonly code?: unknown;
    };
    const number = failures.push(thrown) - 1;
    const failure = { message, number, ...(typeof code === "string" && { code }) };
    post({ id, failure, now: await now() });
  }

  const onMessage = (message: FromThread<Question, End>): void => {
    computed?.();
    if ("end" in message) end.resolve(message.end);
    else if ("question" in message) answered(message.id, message.question).catch(end.reject);
    else end.reject(message.number === undefined ? new Error(message.failed) : failures[message.number]);
  };
  const onError = (thrown: Error & { code?: string }): void =>
    thrown.code === "ERR_WORKER_OUT_OF_MEMORY"
      ? ended(`it took more than ${mostMemoryMi} MiB of memory`)
      : end.reject(thrown);
  const onExit = (): void => ended("its thread has ended");
  const onStop = async (): Promise<void> => {
    thread.postMessage({ stop: true });
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
  let isSpent = true;
  try {
    post({ order, now: await now() });
    if (signal.aborted) void onStop();
    const result = await end.promise;
    isSpent = false;
    return result;
  } finally {
    computed?.();
    clearInterval(watch);
    over.abort();
    signal.removeEventListener("abort", onStop);
    thread.off("message", onMessage).off("error", onError).off("exit", onExit);
    giveBack(program, thread, isSpent);
  }
}
