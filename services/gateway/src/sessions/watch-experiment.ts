import type { EventHub } from "../event-hub.ts";

/** Waits for what happens in an experiment. */
export interface ExperimentWatch extends Disposable {
  /**
   * Resolves soon after something has happened since the last call, and now and then in any case: a remediator opens a turn some
   * time after the event that it follows. At the latest at `deadline` (of `performance.now`), or when the signal aborts.
   */
  change(deadline: number, signal: AbortSignal): Promise<void>;
}

/** The first pause after an event, and the longest, ms. */
const firstPauseMs = 10;
const longestPauseMs = 1_000;

/** Notices every event of the experiment from now on. */
export function watchExperiment(hub: Pick<EventHub, "listen">, experimentId: string): ExperimentWatch {
  let pauseMs = firstPauseMs;
  let wake = (): void => {};
  const stop = hub.listen((event) => {
    if (event.experimentId !== experimentId) return;
    pauseMs = firstPauseMs;
    wake();
  });
  return {
    change: (deadline, signal) =>
      new Promise<void>((resolve) => {
        const left = Math.max(0, deadline - performance.now());
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          wake = () => {};
          resolve();
        };
        let timer = setTimeout(end, Math.min(pauseMs, left));
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        // What follows from an event takes a moment.
        wake = () => {
          clearTimeout(timer);
          timer = setTimeout(end, firstPauseMs);
        };
        signal.addEventListener("abort", end);
        if (signal.aborted) end();
      }),
    [Symbol.dispose]: stop,
  };
}
