import { parentPort } from "node:worker_threads";
import { setTime, useClusterTime } from "./cluster-time.ts";
import type { Failure, FromThread, ToThread } from "./messages.types.ts";

/** What the process of a thread said instead of an answer; in the form of Node's errors if it is one of a file. */
export class SaidFailure extends Error {
  readonly code: string | undefined;
  readonly number: number;

  constructor({ message, code, number }: Failure) {
    super(message);
    this.code = code;
    this.number = number;
  }
}

/**
 * Runs orders of this thread's process, one after the other. `ask` asks the process, and rejects with a `SaidFailure`. What `run` throws is
 * the failure of the order.
 */
export function serveThread<Order extends { readonly script: string }, Question, Answer, End>(
  run: (order: Order, ask: (question: Question) => Promise<Answer>, stop: AbortSignal) => Promise<End>,
): void {
  if (!parentPort) throw new TypeError("this program is for a thread");
  const port = parentPort;
  const say = (message: FromThread<Question, End>): void => port.postMessage(message);
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  let asked = 0;
  let stop = new AbortController();

  function ask(question: Question): Promise<Answer> {
    const id = ++asked;
    const answer = Promise.withResolvers<Answer>();
    waiting.set(id, answer);
    say({ id, question });
    return answer.promise;
  }

  async function begin(order: Order, now: number): Promise<void> {
    stop = new AbortController();
    useClusterTime(order.script, now);
    try {
      say({ end: await run(order, ask, stop.signal) });
    } catch (thrown) {
      const failed = thrown instanceof Error ? thrown.message : String(thrown);
      say({ failed, ...(thrown instanceof SaidFailure && { number: thrown.number }) });
    } finally {
      waiting.clear();
    }
  }

  port.on("message", (message: ToThread<Order, Answer>) => {
    if ("stop" in message) return stop.abort(new Error("its time is up"));
    if ("order" in message) return void begin(message.order, message.now);
    setTime(message.now);
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if ("failure" in message) answer?.reject(new SaidFailure(message.failure));
    else answer?.resolve(message.answer);
  });
}
