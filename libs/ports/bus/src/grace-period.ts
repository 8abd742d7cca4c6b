/** How long handlers in flight may take to end once their consumption is disposed. */
const finishWithinMs = 10_000;

export interface GracePeriod {
  /** Aborted when the handlers are to let go of their work. */
  readonly signal: AbortSignal;
  /** Returns when `work` has ended, which aborts the signal when the time is over. */
  whileEnding(work: Promise<unknown>): Promise<void>;
}

/** Handlers may finish what they have begun within ten seconds, unless `interrupt` is aborted. */
export function createGracePeriod(interrupt: AbortSignal | undefined): GracePeriod {
  const over = new AbortController();
  return {
    signal: interrupt ? AbortSignal.any([over.signal, interrupt]) : over.signal,
    whileEnding: async (work) => {
      const timer = setTimeout(() => over.abort(new Error("the service is stopping")), finishWithinMs);
      await work;
      clearTimeout(timer);
    },
  };
}
