/** Measures the time in which nothing else is under way. */
export interface OwnTime {
  readonly start: () => void;
  readonly stop: () => void;
  /** Work whose time is not counted. */
  readonly outside: <T>(work: () => Promise<T>) => Promise<T>;
  /** Within such work, a part whose time is counted. */
  readonly inside: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Longest time that a timer can have, ms. */
const longestTimer = 2 ** 31 - 1;

/** Calls `over` once when the time that is counted, wall clock, has come to `limitMs`. */
export function createOwnTime(limitMs: number, over: () => void): OwnTime {
  let usedMs = 0;
  let outside = 1;
  let running: { readonly since: number; readonly timer: NodeJS.Timeout } | undefined;
  const leave = (): void => {
    if (outside++ > 0 || running === undefined) return;
    clearTimeout(running.timer);
    usedMs += performance.now() - running.since;
    running = undefined;
  };
  const enter = (): void => {
    if (--outside > 0) return;
    const left = Math.max(0, Math.min(limitMs - usedMs, longestTimer));
    running = { since: performance.now(), timer: setTimeout(over, left) };
  };
  const between =
    (before: () => void, after: () => void): OwnTime["outside"] =>
    async (work) => {
      before();
      try {
        return await work();
      } finally {
        after();
      }
    };
  return { start: enter, stop: leave, outside: between(leave, enter), inside: between(enter, leave) };
}
