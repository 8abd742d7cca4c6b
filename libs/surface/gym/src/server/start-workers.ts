import { Worker } from "node:worker_threads";
import { AppError, type Logger } from "@microremed/core";
import { programOf } from "@microremed/core/bundle";
import type { Gym } from "../create-gym.ts";
import type { Method, WorkerAnswer, WorkerCall, WorkerOrder } from "./worker-messages.types.ts";

/** Calls that one thread has at once, those that wait included. */
const mostUnderWay = 1_024;
/** After its deadline a call has so long to end by itself before its thread is ended, ms. */
const graceMs = 60_000;

/** One thread with a gym. Another one takes its place when it dies; its episodes are lost then. */
export interface GymWorker {
  /** Grows when another thread takes the place: episodes of an earlier one are lost. */
  readonly generation: number;
  /** Throws what the gym throws; `too-many-requests` where too much waits, `deadline-exceeded`, `internal` when the thread dies. */
  call<M extends Method>(
    method: M,
    given: readonly unknown[],
    timeoutMs: number,
  ): Promise<Awaited<ReturnType<Gym[M]>>>;
}

export interface GymWorkers extends AsyncDisposable {
  readonly all: readonly GymWorker[];
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Starts so many threads, each with a catalogue, clusters and episodes of its own. */
export function startWorkers(count: number, order: WorkerOrder, log: Logger): GymWorkers {
  const places = Array.from({ length: count }, () => createPlace(order, log));
  return {
    all: places,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(places.map((place) => place[Symbol.asyncDispose]()));
    },
  };
}

function createPlace(order: WorkerOrder, log: Logger): GymWorker & AsyncDisposable {
  const waiting = new Map<number, Waiting>();
  let generation = 0;
  let calls = 0;
  let isClosed = false;
  const start = (): Worker => {
    const worker = new Worker(programOf(new URL("./gym-worker.ts", import.meta.url)), { workerData: order });
    let why = "it ended";
    worker.on("message", (answer: WorkerAnswer) => {
      const one = waiting.get(answer.id);
      if ("error" in answer) one?.reject(new AppError(answer.error.code, answer.error.message));
      else one?.resolve(answer.value);
    });
    worker.on("error", (error) => {
      why = error.message;
    });
    worker.on("exit", () => {
      for (const { reject } of waiting.values())
        reject(
          new AppError(
            "internal",
            `the thread with this episode ended (${why}): the episode is lost, reset begins another`,
          ),
        );
      if (isClosed) return;
      log.warn(
        { error_message: why },
        "a thread of the gym ended; its episodes are lost, another takes its place",
      );
      generation++;
      current = start();
    });
    return worker;
  };
  let current = start();
  return {
    get generation() {
      return generation;
    },
    async call(method, given, timeoutMs) {
      if (waiting.size >= mostUnderWay)
        throw new AppError(
          "too-many-requests",
          `${waiting.size} calls wait for this worker: ask again in a moment`,
          {
            severity: "retryable",
            retryAfterMs: 1_000,
          },
        );
      const id = ++calls;
      const worker = current;
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.set(id, { resolve, reject });
      const late = setTimeout(() => worker.postMessage({ id, abort: true } satisfies WorkerCall), timeoutMs);
      const tooLate = setTimeout(() => void worker.terminate(), timeoutMs + graceMs);
      try {
        worker.postMessage({ id, method, given } satisfies WorkerCall);
        return (await promise) as never;
      } finally {
        clearTimeout(late);
        clearTimeout(tooLate);
        waiting.delete(id);
      }
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      await current.terminate();
    },
  };
}
