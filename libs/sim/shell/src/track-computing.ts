import type { Exec } from "@microremed/sim-machine";
import type { EventLoop } from "@microremed/sim-time";

/** Knows whether commands in containers compute, or wait for the cluster's time as everything else does. */
export interface ComputingTracker {
  /** The loop for what commands do: one that sleeps does not compute. */
  readonly loop: EventLoop;
  track(exec: Exec): Exec;
  /** Does some work that belongs to a command. */
  during<T>(work: () => Promise<T>): Promise<T>;
  isComputing(): boolean;
  /** A command computes in another thread until the promise resolves. */
  onComputing(until: Promise<void>): void;
  /** Resolves when one of them has gone on; undefined: none computes there. */
  elsewhere(): Promise<void> | undefined;
}

/** Counts the commands that are running and not asleep. `isComputing` is true while there is one. */
export function createComputingTracker(loop: EventLoop): ComputingTracker {
  let computing = 0;
  const elsewhere = new Set<Promise<void>>();
  async function during<T>(work: () => Promise<T>): Promise<T> {
    computing += 1;
    try {
      return await work();
    } finally {
      computing -= 1;
    }
  }
  return {
    loop: {
      ...loop,
      async sleep(ms, signal) {
        computing -= 1;
        try {
          await loop.sleep(ms, signal);
        } finally {
          computing += 1;
        }
      },
    },
    track: (exec) => (request) => during(() => exec(request)),
    during,
    isComputing: () => computing > 0,
    onComputing: (until) => {
      elsewhere.add(until);
      void until.then(() => elsewhere.delete(until));
    },
    elsewhere: () => (elsewhere.size > 0 ? Promise.race(elsewhere) : undefined),
  };
}
