import type { Timers } from "../timers.ts";

/** Timers that advance only when a test advances them. */
export interface ManualTimers extends Timers {
  /** Lets so many ms pass: calls what becomes due, in order, each in a turn of the event loop of its own. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** `startMs`: ms since the epoch. */
export function createManualTimers(startMs = 0): ManualTimers {
  const timers = new Set<Timer>();
  let now = startMs;
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    now: () => now,
    after: (ms, work) => {
      const timer = { at: now + ms, work };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance: async (ms) => {
      const end = now + ms;
      for (let next = nextUntil(end); next; next = nextUntil(end)) {
        now = Math.max(now, next.at);
        timers.delete(next);
        next.work();
        await turn();
      }
      now = end;
      await turn();
    },
  };
}
