/** How long handlers in flight may take to end once their consumption is disposed. */
const finishWithinMs = 10_000;

export interface Patience {
  /** Aborted when the handlers are to let go of their work. */
  readonly signal: AbortSignal;
  /** Returns when `work` has ended; loses patience meanwhile. */
  whileEnding(work: Promise<unknown>): Promise<void>;
}

/** Handlers may finish what they have begun within ten seconds, unless `hurry` is aborted. */
export function createPatience(hurry: AbortSignal | undefined): Patience {
  const over = new AbortController();
  return {
    signal: hurry ? AbortSignal.any([over.signal, hurry]) : over.signal,
    whileEnding: async (work) => {
      const timer = setTimeout(() => over.abort(new Error("the service is stopping")), finishWithinMs);
      await work;
      clearTimeout(timer);
    },
  };
}
