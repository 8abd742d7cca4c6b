import type { ClusterClock, RunTasks } from "./run-tasks.ts";
import type { TaskQueue } from "./task-queue.ts";

/** Cluster time that one slice may cover before Node gets its turn, ms. */
const maxSliceMs = 1000;
/** Cluster time, ms, that may be made up for in further slices when the process was kept from running. */
const maxDebtMs = 5000;
/** Wall time that one slice may take, ms: past it the cluster lags rather than starve the API server. */
const maxSliceWallMs = 12;
/** Wall time between slices while time runs fast, ms. */
const fastSliceMs = 5;

/** Drives cluster time by the wall clock, in slices. */
export interface WallPump {
  /** How many holds are not released. */
  readonly holders: number;
  /** Takes cluster time to where the wall clock says: never past the next thing to do, never far past the last slice. */
  catchUp(): void;
  /** The next slice must be planned again: what is due, or how fast time runs, has changed. */
  replan(): void;
  /** Cluster time was moved by hand: from there it goes on. */
  moved(): void;
  /** The cluster was put back to another time. */
  restart(): void;
  hold(): () => void;
  /** Stops the time where it is. Returns what lets it go on from where it is by then, unless it was at rest before. */
  pause(): () => void;
  start(): void;
  stop(): void;
}

interface PumpDeps {
  readonly clock: ClusterClock;
  readonly queue: TaskQueue;
  readonly runTasks: RunTasks;
  /** Cluster seconds per wall second while the clock is held. */
  readonly timeScale: number;
  readonly wallNow: () => number;
}

export function createWallPump({ clock, queue, runTasks, timeScale, wallNow }: PumpDeps): WallPump {
  let holders = 0;
  let pumping = false;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  /** Where cluster time and wall time last met. */
  let anchor = { time: clock.time, wall: 0 };

  const rate = (): number => (holders > 0 ? timeScale : 1);

  function setAnchor(): void {
    anchor = { time: clock.time, wall: wallNow() };
  }

  function catchUp(): void {
    if (!pumping || clock.inSlice) return;
    const byWall = Math.floor(anchor.time + (wallNow() - anchor.wall) * rate());
    const due = queue.next()?.at ?? Number.POSITIVE_INFINITY;
    clock.time = Math.max(clock.time, Math.min(byWall, due, clock.time + maxSliceMs));
  }

  function slice(): void {
    timer = undefined;
    const startedAt = wallNow();
    const byWall = anchor.time + (startedAt - anchor.wall) * rate();
    const target = Math.floor(Math.min(byWall, clock.time + maxSliceMs));
    const finished = runTasks(target, () => wallNow() - startedAt < maxSliceWallMs);
    // What is left of a millisecond is kept, or a slow clock would lose it in every slice.
    const reached = finished ? Math.min(byWall, clock.time + maxDebtMs) : clock.time;
    anchor = { time: reached, wall: startedAt };
    schedule(finished);
  }

  function clearTimer(): void {
    clearTimeout(timer as NodeJS.Timeout);
    clearImmediate(timer as NodeJS.Immediate);
    timer = undefined;
  }

  function schedule(finished: boolean): void {
    if (!pumping || clock.inSlice) return;
    if (timer) clearTimer();
    const inDebt = anchor.time - clock.time >= 1;
    if (!finished || inDebt) {
      if (!inDebt) setAnchor();
      timer = setImmediate(slice);
      return;
    }
    const due = queue.next()?.at ?? anchor.time + maxSliceMs;
    const wait = Math.min(due - anchor.time, maxSliceMs) / rate() - (wallNow() - anchor.wall);
    timer = setTimeout(slice, Math.max(rate() > 1 ? fastSliceMs : 1, Math.ceil(wait)));
  }

  /** Time runs at another rate from now on. */
  function changeHolders(by: 1 | -1): void {
    catchUp();
    holders += by;
    setAnchor();
    schedule(true);
  }

  function start(): void {
    if (pumping) return;
    pumping = true;
    setAnchor();
    schedule(true);
  }

  function stop(): void {
    pumping = false;
    clearTimer();
  }

  return {
    get holders() {
      return holders;
    },
    catchUp,
    replan: () => schedule(true),
    moved() {
      if (pumping) setAnchor();
    },
    restart() {
      setAnchor();
      schedule(true);
    },
    hold() {
      changeHolders(1);
      let released = false;
      return () => {
        if (released) return;
        released = true;
        changeHolders(-1);
      };
    },
    pause() {
      if (!pumping) return () => {};
      catchUp();
      stop();
      return start;
    },
    start,
    stop,
  };
}
