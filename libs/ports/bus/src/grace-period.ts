import type { Timers } from "./timers.ts";

/** How long handlers in flight may take to end once their consumption is disposed. */
const finishWithinMs = 10_000;

export interface GracePeriod {
  /** Aborted when the handlers are to let go of their work. */
  readonly signal: AbortSignal;
  /** Aborted at once: a handler that only waits need not wait for the end. */
  readonly stopping: AbortSignal;
  /** Returns when `work` has ended; aborts the signal if that takes too long. */
  whileEnding(work: Promise<unknown>): Promise<void>;
}

/** Handlers may finish what they have begun within ten seconds, unless `interrupt` is aborted. */
export function createGracePeriod(timers: Timers, interrupt: AbortSignal | undefined): GracePeriod {
  const over = new AbortController();
  const stopping = new AbortController();
  const withInterrupt = (signal: AbortSignal): AbortSignal =>
    interrupt ? AbortSignal.any([signal, interrupt]) : signal;
  return {
    signal: withInterrupt(over.signal),
    stopping: withInterrupt(stopping.signal),
    whileEnding: async (work) => {
      stopping.abort(new Error("the service is stopping"));
      const cancel = timers.after(finishWithinMs, () => over.abort(new Error("the service is stopping")));
      await work;
      cancel();
    },
  };
}
