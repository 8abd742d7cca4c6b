import { setTimeout as delay } from "node:timers/promises";

/**
 * The time of one cluster. Every wait of an episode goes through its cluster's clock: a real cluster's clock is the
 * wall clock; an embedded cluster's runs faster while a client waits on it.
 */
export interface Clock {
  /** Cluster time, ms since the epoch. */
  now(): Promise<number>;
  /** Returns after `ms` of cluster time. Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Says that a caller waits for the cluster until the returned handle is disposed, so that an embedded cluster may
   * run at its time scale. Does nothing on a wall clock. A holder that dies lets go by dying.
   */
  hold(): Promise<AsyncDisposable>;
}

const nothingHeld: AsyncDisposable = { [Symbol.asyncDispose]: async () => {} };

/** The clock of a real cluster. */
export const wallClock: Clock = {
  // Where the wall clock stood when the process began, and monotonic since: a jump of it ends no wait.
  now: async () => performance.timeOrigin + performance.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : {});
  },
  hold: async () => nothingHeld,
};
