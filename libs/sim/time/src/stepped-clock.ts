import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "@microremed/core";
import type { PumpedEventLoop } from "./event-loop.ts";

export interface SteppedClockOptions {
  readonly loop: PumpedEventLoop;
  /** Changes whenever code outside of the loop may have seen an event. */
  readonly version: () => number;
  /** Whether something that is part of the cluster computes outside of the loop (a script in a container). */
  readonly isComputing: () => boolean;
}

/**
 * A cluster's clock that advances while a caller sleeps on it, as fast as the cluster can be computed. Disposing it
 * stops it.
 */
export interface SteppedClock extends Clock, Disposable {}

/** Turns of the process that code outside of the loop gets after an event, before the time advances. */
const turnsToReact = 3;
/**
 * Moments that are computed before the process gets its turn anyway. Counted and not timed: what else the process does
 * then is at the same cluster time on every machine.
 */
const momentsPerSlice = 100;
/** Turns for which the time waits for what computes: one that waits for something else than the time must not stop it. */
const turnsToCompute = 100_000;

/**
 * The clock of a cluster whose loop nothing else drives: while anybody sleeps, time goes from one thing to do to the
 * next, as fast as they can be computed; otherwise it does not advance. Who sees something happen reacts before anything
 * else does, so what happens does not depend on how fast the machine is.
 */
export function createSteppedClock({ loop, version, isComputing }: SteppedClockOptions): SteppedClock {
  let running = false;
  let stopped = false;

  const settle = async (): Promise<void> => {
    for (let turns = 0; turns < turnsToReact; turns++) await turn();
    for (let turns = 0; isComputing() && turns < turnsToCompute; turns++) await turn();
  };

  /** Runs until code outside of the loop may have seen an event, or the slice is over. */
  function step(): void {
    const [before, asleep] = [version(), loop.sleepers];
    for (let moments = 0; moments < momentsPerSlice; moments++) {
      loop.advance(Math.max(0, (loop.nextAt ?? loop.now()) - loop.now()));
      if (loop.sleepers !== asleep || version() !== before) return;
    }
  }

  async function run(): Promise<void> {
    running = true;
    await settle();
    while (loop.sleepers > 0 && !stopped) {
      step();
      await settle();
    }
    running = false;
  }

  const stopListening = loop.onSleep(() => {
    if (!running && !stopped) void run();
  });

  return {
    now: async () => loop.now(),
    sleep: (ms, signal) => loop.sleep(ms, signal),
    hold: async () => ({ [Symbol.asyncDispose]: async () => {} }),
    [Symbol.dispose]() {
      stopped = true;
      stopListening();
    },
  };
}
