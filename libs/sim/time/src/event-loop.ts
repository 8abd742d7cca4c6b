import type { Logger } from "@microremed/core";
import { createBinaryHeap } from "./binary-heap.ts";
import type { EventLoop } from "./event-loop.types.ts";
import { createMemory } from "./memory.ts";

export interface EventLoopOptions {
  /** Cluster time at the start, ms since the epoch. */
  readonly startAt: number;
  /** Cluster seconds per wall second while somebody holds; 1 when nobody does. */
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
  /** Has `listener` called whenever somebody begins to sleep. Returns the way to unregister. */
  onSleep(listener: () => void): () => void;
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

interface Scheduled {
  readonly at: number;
  readonly order: number;
  readonly name: string;
  readonly task: () => void;
  /** Somebody outside the loop waits for it: no part of a save. */
  readonly outside: boolean;
  cancelled: boolean;
}

/** Cluster time that one slice may cover before Node gets its turn, ms. */
const maxSliceMs = 1000;
/** Cluster time, ms, that may be made up for in further slices when the process was kept from running. */
const maxDebtMs = 5000;
/** Wall time that one slice may take, ms: past it the cluster lags rather than starve the API server. */
const maxSliceWallMs = 12;
/** Wall time between slices while time runs fast, ms. */
const fastSliceMs = 5;

export function createEventLoop(options: EventLoopOptions): PumpedEventLoop {
  const { timeScale, log, wallNow = () => performance.now() } = options;
  const queue = createBinaryHeap<Scheduled>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  const memory = createMemory();
  const sleepers = new Set<(reason: unknown) => void>();
  const sleepListeners = new Set<() => void>();
  const restored = memory.keep(new Set<() => void>());
  let time = options.startAt;
  let order = 0;
  let holders = 0;
  let pumping = false;
  let inSlice = false;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  /** Where cluster time and wall time last met. */
  let anchor = { time, wall: 0 };

  function nextDue(): Scheduled | undefined {
    for (;;) {
      const next = queue.peek();
      if (!next?.cancelled) return next;
      queue.pop();
    }
  }

  /** Runs what is due until `target`; gives up early when `mayGoOn` says so. Returns whether it came to the end. */
  function runUntil(target: number, mayGoOn: () => boolean): boolean {
    for (;;) {
      const next = nextDue();
      if (!next || next.at > target) break;
      if (!mayGoOn()) return false;
      queue.pop();
      time = Math.max(time, next.at);
      try {
        next.task();
      } catch (error) {
        log.error(
          { task: next.name, clusterTime: time, err: error },
          `the cluster's task ${next.name} failed`,
        );
      }
    }
    time = Math.max(time, target);
    return true;
  }

  const rate = (): number => (holders > 0 ? timeScale : 1);

  /** Cluster time by the wall clock: never past the next thing to do, never far past the last slice. */
  function catchUp(): void {
    if (!pumping || inSlice) return;
    const byWall = Math.floor(anchor.time + (wallNow() - anchor.wall) * rate());
    const due = nextDue()?.at ?? Number.POSITIVE_INFINITY;
    time = Math.max(time, Math.min(byWall, due, time + maxSliceMs));
  }

  function setAnchor(): void {
    anchor = { time, wall: wallNow() };
  }

  function slice(): void {
    timer = undefined;
    const startedAt = wallNow();
    const byWall = anchor.time + (startedAt - anchor.wall) * rate();
    const target = Math.floor(Math.min(byWall, time + maxSliceMs));
    inSlice = true;
    const finished = runUntil(target, () => wallNow() - startedAt < maxSliceWallMs);
    inSlice = false;
    // What is left of a millisecond is kept, or a slow clock would lose it in every slice.
    anchor = { time: finished ? Math.min(byWall, time + maxDebtMs) : time, wall: startedAt };
    schedulePump(finished);
  }

  function schedulePump(finished: boolean): void {
    if (!pumping || inSlice) return;
    if (timer) {
      clearTimeout(timer as NodeJS.Timeout);
      clearImmediate(timer as NodeJS.Immediate);
      timer = undefined;
    }
    const inDebt = anchor.time - time >= 1;
    if (!finished || inDebt) {
      if (!inDebt) setAnchor();
      timer = setImmediate(slice);
      return;
    }
    const due = nextDue()?.at ?? anchor.time + maxSliceMs;
    const wait = Math.min(due - anchor.time, maxSliceMs) / rate() - (wallNow() - anchor.wall);
    timer = setTimeout(slice, Math.max(rate() > 1 ? fastSliceMs : 1, Math.ceil(wait)));
  }

  function push(at: number, name: string, task: () => void, outside: boolean): Scheduled {
    const scheduled: Scheduled = { at, order: order++, name, task, outside, cancelled: false };
    const earliest = nextDue();
    queue.push(scheduled);
    if (!inSlice && (!earliest || at < earliest.at)) schedulePump(true);
    return scheduled;
  }

  function plan(delayMs: number, name: string, task: () => void, outside = false): () => void {
    catchUp();
    const scheduled = push(time + Math.max(0, Math.ceil(delayMs)), name, task, outside);
    return () => {
      scheduled.cancelled = true;
    };
  }

  function save(): () => void {
    catchUp();
    const planned = queue.items().filter((item) => !item.cancelled && !item.outside);
    const at = { time, order };
    const putBack = memory.save();
    return () => {
      while (queue.size > 0) queue.pop();
      for (const item of planned) {
        item.cancelled = false;
        queue.push(item);
      }
      ({ time, order } = at);
      putBack();
      setAnchor();
      schedulePump(true);
      const error = new Error("the cluster was put back to an earlier state");
      for (const reject of [...sleepers]) reject(error);
      for (const listener of [...restored]) listener();
    };
  }

  const loop: PumpedEventLoop = {
    timeScale,
    get holders() {
      return holders;
    },
    get nextAt() {
      return nextDue()?.at;
    },
    get sleepers() {
      return sleepers.size;
    },
    onSleep(listener) {
      sleepListeners.add(listener);
      return () => sleepListeners.delete(listener);
    },
    now() {
      catchUp();
      return time;
    },
    after: (delayMs, name, task) => plan(delayMs, name, task),
    every(periodMs, name, task) {
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
    },
    keep: memory.keep,
    onRestore(listener) {
      restored.add(listener);
      return () => restored.delete(listener);
    },
    save,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const settle = (): void => {
          sleepers.delete(fail);
          signal?.removeEventListener("abort", onAbort);
        };
        const fail = (reason: unknown): void => {
          settle();
          cancel();
          reject(reason);
        };
        const onAbort = (): void => fail(signal?.reason);
        const wake = (): void => {
          settle();
          resolve();
        };
        const cancel = plan(ms, "sleep", wake, true);
        sleepers.add(fail);
        signal?.addEventListener("abort", onAbort, { once: true });
        for (const listener of sleepListeners) listener();
      });
    },
    advance(ms) {
      catchUp();
      inSlice = true;
      runUntil(time + ms, () => true);
      inSlice = false;
      if (pumping) setAnchor();
    },
    hold() {
      catchUp();
      holders += 1;
      setAnchor();
      schedulePump(true);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        catchUp();
        holders -= 1;
        setAnchor();
        schedulePump(true);
      };
    },
    start() {
      if (pumping) return;
      pumping = true;
      setAnchor();
      schedulePump(true);
    },
    stop() {
      pumping = false;
      clearTimeout(timer as NodeJS.Timeout);
      clearImmediate(timer as NodeJS.Immediate);
      timer = undefined;
    },
    [Symbol.dispose]() {
      loop.stop();
    },
  };
  return loop;
}
