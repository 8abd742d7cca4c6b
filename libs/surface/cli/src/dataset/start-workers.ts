import { Worker } from "node:worker_threads";
import { AppError } from "@microremed/core";
import { programOf } from "@microremed/core/bundle";
import type { CaseResult, PlannedCase, Recipe } from "@microremed/dataset";

/** What every case of a data set is made from and where it is put. */
export interface WorkerOrder {
  readonly recipe: Recipe;
  readonly directory: string;
  /** Folders of entries beside the built-in ones. */
  readonly catalogues: readonly string[];
}

/** What a thread says of a case. */
export type WorkerAnswer =
  | { readonly result: CaseResult }
  | { readonly error: { readonly code: AppError["code"]; readonly message: string; readonly stack: string } };

/** Threads that make cases. Disposing ends them, also in the middle of a case, of which nothing is then there. */
export interface DatasetWorkers extends AsyncDisposable {
  /** Makes a case in a thread that is free; at most as many at once as there are threads. */
  readonly make: (planned: PlannedCase) => Promise<CaseResult>;
}

/** Starts threads as they are needed, at most `count`. An interrupt ends them, and what was asked of them is rejected. */
export function startDatasetWorkers(count: number, order: WorkerOrder, signal: AbortSignal): DatasetWorkers {
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
    if (all.length >= count)
      throw new AppError("internal", "more cases are made at once than there are threads");
    const worker = new Worker(programOf(new URL("./worker.ts", import.meta.url)), { workerData: order });
    all.push(worker);
    return worker;
  };
  return {
    make: async (planned) => {
      signal.throwIfAborted();
      const worker = take();
      const answer = await answerOf(worker, planned, signal);
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
async function answerOf(worker: Worker, planned: PlannedCase, signal: AbortSignal): Promise<WorkerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onExit = (): void =>
    reject(
      signal.aborted ? signal.reason : new AppError("internal", "a thread ended in the middle of a case"),
    );
  worker.once("message", resolve).once("error", reject).once("exit", onExit);
  worker.postMessage(planned);
  try {
    return await promise;
  } finally {
    worker.off("message", resolve).off("error", reject).off("exit", onExit);
  }
}
