import type { Logger } from "@microremed/core";
import type { EventLoop } from "./event-loop.types.ts";
import { createMemory } from "./memory.ts";
import { type ClusterClock, createTaskRunner } from "./run-tasks.ts";
import { createSleepers } from "./sleepers.ts";
import { createTaskQueue } from "./task-queue.ts";
import { createWallPump } from "./wall-pump.ts";

export interface EventLoopOptions {
  /** Cluster time at the start, ms since the epoch. */
  readonly startAt: number;
  /** Cluster seconds per wall second while the clock is held; otherwise 1. */
  readonly timeScale: number;
  readonly log: Logger;
  /** Monotonic wall clock in ms. */
  readonly wallNow?: () => number;
}

/** An event loop that a wall clock can drive. */
export interface PumpedEventLoop extends EventLoop, Disposable {
  readonly timeScale: number;
  /** How many holds are not released. */
  readonly holders: number;
  /** When the next thing is to be done, cluster time; undefined: nothing is planned. */
  readonly nextAt: number | undefined;
  /** How many sleepers there are: what waits for the time outside of the loop. */
  readonly sleepers: number;
  /**
   * Calls `listener` whenever a caller begins to sleep, and when the last hold ends. Returns a function that unregisters
   * it.
   */
  onSleep(listener: () => void): () => void;
  /** Keeps the wall clock from driving the time. Returns a function that lets it again, if it did. */
  pause(): () => void;
  /** Lets the wall clock drive the time. */
  start(): void;
  /** Stops the time; `advance` still works. */
  stop(): void;
  /**
   * Notes the time, everything planned and everything kept; the result goes back there. Sleepers cannot go back: those of
   * the moment of going back are woken with an error.
   */
  save(): () => void;
}

/** A loop at rest at `startAt`. It moves by `advance`, or by the wall clock after `start`. */
export function createEventLoop(options: EventLoopOptions): PumpedEventLoop {
  const { timeScale, log, wallNow = () => performance.now() } = options;
  const clock: ClusterClock = { time: options.startAt, inSlice: false };
  const queue = createTaskQueue();
  const memory = createMemory();
  const restored = memory.keep(new Set<() => void>());
  const runTasks = createTaskRunner(clock, queue, log);
  const pump = createWallPump({ clock, queue, runTasks, timeScale, wallNow });
  const sleepers = createSleepers(plan);

  function plan(delayMs: number, name: string, task: () => void, outside = false): () => void {
    pump.catchUp();
    const at = clock.time + Math.max(0, Math.ceil(delayMs));
    const earliest = queue.next();
    const scheduled = queue.add(at, name, task, outside);
    if (!clock.inSlice && (!earliest || at < earliest.at)) pump.replan();
    return () => {
      scheduled.cancelled = true;
    };
  }

  function every(periodMs: number, name: string, task: () => void): () => void {
    const next = memory.keep({ cancel: (): void => {}, stopped: false });
    const again = (): void => {
      if (next.stopped) return;
      next.cancel = plan(periodMs, name, again);
      task();
    };
    next.cancel = plan(periodMs, name, again);
    return () => {
      next.stopped = true;
      next.cancel();
    };
  }

  function save(): () => void {
    pump.catchUp();
    const putBackTasks = queue.save();
    const { time } = clock;
    const putBack = memory.save();
    return () => {
      putBackTasks();
      clock.time = time;
      putBack();
      pump.restart();
      sleepers.wakeAll(new Error("the cluster was put back to an earlier state"));
      for (const listener of [...restored]) listener();
    };
  }

  return {
    timeScale,
    get holders() {
      return pump.holders;
    },
    get nextAt() {
      return queue.next()?.at;
    },
    get sleepers() {
      return sleepers.count;
    },
    onSleep: sleepers.onSleep,
    now() {
      pump.catchUp();
      return clock.time;
    },
    after: (delayMs, name, task) => plan(delayMs, name, task),
    every,
    keep: memory.keep,
    onRestore(listener) {
      restored.add(listener);
      return () => restored.delete(listener);
    },
    save,
    sleep: sleepers.sleep,
    advance(ms) {
      pump.catchUp();
      runTasks(clock.time + ms, () => true);
      pump.moved();
    },
    hold() {
      const release = pump.hold();
      return () => {
        release();
        if (pump.holders === 0) sleepers.announce();
      };
    },
    pause: pump.pause,
    start: pump.start,
    stop: pump.stop,
    [Symbol.dispose]: pump.stop,
  };
}
