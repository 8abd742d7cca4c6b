/** The bus's sense of time; injected, so that a test can drive it. */
export interface Timers {
  /** ms since the epoch; never goes back. */
  now(): number;
  /** Calls `work` once after so many ms, unless the returned function is called before. */
  after(ms: number, work: () => void): () => void;
}

/** Where the wall clock stood when the process began, and monotonic since: a jump of it ends no wait. */
export const wallTimers: Timers = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Calls `work` every so many ms until the returned function is called. */
export function repeat(timers: Timers, ms: number, work: () => void): () => void {
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = timers.after(ms, () => {
      arm();
      work();
    });
  };
  arm();
  return () => cancel();
}

/** Returns after so many ms, or as soon as the signal is aborted. */
export function pause(timers: Timers, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = timers.after(ms, end);
    signal.addEventListener("abort", end);
  });
}
