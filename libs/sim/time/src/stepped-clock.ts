import type { Clock } from "@microremed/core";
import type { PumpedEventLoop } from "./event-loop.ts";

export interface SteppedClockOptions {
  readonly loop: PumpedEventLoop;
  /** Changes whenever code outside of the loop may have seen an event. */
  readonly version: () => number;
  /** Whether something that is part of the cluster computes outside of the loop (a script in a container). */
  readonly isComputing: () => boolean;
  /** Resolves when what of it computes in another thread has gone on; undefined: nothing does. */
  readonly elsewhere?: () => Promise<void> | undefined;
}

/**
 * A cluster's clock for callers in its process: it advances while one of them waits, as fast as the cluster can be
 * computed. Disposing it stops it.
 */
export interface SteppedClock extends Clock, Disposable {
  /**
   * Does a caller's request. Where the cluster itself takes time for it, time advances as for a caller that sleeps, until
   * `signal` says that the caller waits no more, even if the request goes on.
   */
  during<T>(request: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Turns of the process that callers get after an event that they may have seen, before the time advances. */
const turnsToReact = 3;
/**
 * Moments that are computed before the process gets its turn anyway. Counted and not timed: what else the process does
 * then is at the same cluster time on every machine.
 */
const momentsPerSlice = 100;
/** Turns for which the time waits for what computes: one that waits for something else than the time must not stop it. */
const turnsToCompute = 100_000;

/**
 * A clock that steps its cluster: while a caller waits on it, time goes from one thing to do to the next, as fast as they
 * can be computed. Who sees something happen reacts before anything else does, so what happens does not depend on how
 * fast the machine is. A wall clock that drives the loop rests meanwhile and drives it again afterwards. While the loop is
 * held, by what needs the wall clock's time to act, nothing is stepped: callers wait for the wall clock too. A script in a
 * container that sleeps is no caller: time does not run for its sake.
 */
export function createSteppedClock({
  loop,
  version,
  isComputing,
  elsewhere,
}: SteppedClockOptions): SteppedClock {
  let running = false;
  let stopped = false;
  let asleep = 0;
  let requests = 0;
  /** How many sleeps and requests of callers have ended. */
  let answered = 0;

  const isWanted = (): boolean =>
    (asleep > 0 || (requests > 0 && loop.sleepers > 0)) && loop.holders === 0 && !stopped;

  /** Whether callers may have seen something since `before`. */
  const seen = (): string => `${version()} ${answered}`;

  /**
   * Lets code outside of the loop go on. What only the cluster's own scripts have seen needs one turn: they go on in it, and
   * `isComputing` says so if they need more.
   */
  const settle = async (before?: string): Promise<void> => {
    await turn();
    for (let turns = 0; isComputing() && isWanted() && turns < turnsToCompute; turns++)
      await (elsewhere?.() ?? turn());
    if (before !== seen()) for (let turns = 1; turns < turnsToReact; turns++) await turn();
  };

  /** Runs until code outside of the loop may have seen an event, a script in a container computes, or the slice is over. */
  function step(): void {
    const [before, sleepers] = [version(), loop.sleepers];
    for (let moments = 0; moments < momentsPerSlice; moments++) {
      loop.advance(Math.max(0, (loop.nextAt ?? loop.now()) - loop.now()));
      if (loop.sleepers !== sleepers || version() !== before || isComputing()) return;
    }
  }

  async function run(): Promise<void> {
    running = true;
    const resume = loop.pause();
    await settle();
    while (isWanted()) {
      const before = seen();
      step();
      await settle(before);
    }
    running = false;
    resume();
  }

  const runIfWanted = (): void => {
    if (!running && isWanted()) void run();
  };
  const stopListening = loop.onSleep(runIfWanted);

  return {
    now: async () => loop.now(),
    async sleep(ms, signal) {
      asleep++;
      try {
        await loop.sleep(ms, signal);
      } finally {
        asleep--;
        answered++;
      }
    },
    hold: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    async during(request, signal) {
      let waits = signal?.aborted !== true;
      if (waits) requests++;
      const leave = (): void => {
        if (waits) {
          requests--;
          answered++;
        }
        waits = false;
      };
      signal?.addEventListener("abort", leave, { once: true });
      try {
        return await request();
      } finally {
        leave();
        signal?.removeEventListener("abort", leave);
      }
    },
    [Symbol.dispose]() {
      stopped = true;
      stopListening();
    },
  };
}

/** Lets the process do what is next, such as answers that have arrived. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
