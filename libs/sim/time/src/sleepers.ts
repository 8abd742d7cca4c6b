/** Plans a task for code outside the loop; returns a function that cancels it. */
type Plan = (delayMs: number, name: string, task: () => void, outside: true) => () => void;

/** Promises that wait for cluster time. */
export interface Sleepers {
  readonly count: number;
  /** Calls `listener` whenever a caller begins to sleep, or `announce` is called. Returns a function that unregisters it. */
  onSleep(listener: () => void): () => void;
  announce(): void;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Ends all sleeps that go on, with an error. */
  wakeAll(error: Error): void;
}

export function createSleepers(plan: Plan): Sleepers {
  const sleeping = new Set<(reason: unknown) => void>();
  const listeners = new Set<() => void>();
  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    announce,
    get count() {
      return sleeping.size;
    },
    onSleep(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const settle = (): void => {
          sleeping.delete(fail);
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
        sleeping.add(fail);
        signal?.addEventListener("abort", onAbort, { once: true });
        announce();
      });
    },
    wakeAll(error) {
      for (const reject of [...sleeping]) reject(error);
    },
  };
}
