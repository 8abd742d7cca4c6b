import { Worker } from "node:worker_threads";
import { AppError } from "@microremed/core";
import { programOf } from "@microremed/core/bundle";

/** What a thread says of a task. */
export type ThreadAnswer<Result> =
  | { readonly result: Result }
  | { readonly error: { readonly code: AppError["code"]; readonly message: string; readonly stack: string } };

/** Threads that do tasks. Disposing ends them, also in the middle of a task. */
export interface Threads<Task, Result> extends AsyncDisposable {
  /** Does a task in a thread that is free; at most as many at once as there are threads. */
  readonly make: (task: Task) => Promise<Result>;
}

/**
 * Starts threads of a program as they are needed, at most `count`, each with the order. An interrupt ends them, and what was asked
 * of them is rejected.
 */
export function startThreads<Task, Result>(
  program: URL,
  count: number,
  order: object,
  signal: AbortSignal,
): Threads<Task, Result> {
  const all: Worker[] = [];
  const free: Worker[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(all.map((worker) => worker.terminate()));
  };
  const onAbort = (): void => void end();
  signal.addEventListener("abort", onAbort);
  const take = (): Worker => {
    const waiting = free.pop();
    if (waiting) return waiting;
    if (all.length >= count) throw new AppError("internal", "more is made at once than there are threads");
    const worker = new Worker(programOf(program), { workerData: order });
    all.push(worker);
    return worker;
  };
  return {
    make: async (task) => {
      signal.throwIfAborted();
      const worker = take();
      const answer = await answerOf<Task, Result>(worker, task, signal);
      if ("error" in answer)
        throw Object.assign(new AppError(answer.error.code, answer.error.message), answer.error);
      free.push(worker);
      return answer.result;
    },
    [Symbol.asyncDispose]: async () => {
      signal.removeEventListener("abort", onAbort);
      await end();
    },
  };
}

/** Rejects when the thread ends instead of answering. */
async function answerOf<Task, Result>(
  worker: Worker,
  task: Task,
  signal: AbortSignal,
): Promise<ThreadAnswer<Result>> {
  const { promise, resolve, reject } = Promise.withResolvers<ThreadAnswer<Result>>();
  const onExit = (): void =>
    reject(
      signal.aborted ? signal.reason : new AppError("internal", "a thread ended in the middle of a task"),
    );
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(task);
  try {
    return await promise;
  } finally {
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}

/** What a thread says of what came of a task. */
export const answered = <Result>(work: Promise<Result>): Promise<ThreadAnswer<Result>> =>
  work.then(
    (result) => ({ result }),
    (thrown: unknown) => {
      const { code, message, stack = "" } = AppError.from(thrown);
      return { error: { code, message, stack } };
    },
  );
