/** A counting semaphore. */
export interface Slots {
  readonly taken: number;
  readonly free: number;
  /** Returns once a slot was free, in the order of asking. Rejects with the signal's reason if that comes first. */
  take(signal?: AbortSignal): Promise<void>;
  give(): void;
  /** Calls the listener whenever a slot has become free; returns the way to end that. */
  onFree(listener: () => void): () => void;
  /** Returns once all slots are free. */
  whenIdle(): Promise<void>;
}

/** Slots, all of them free. */
export function createSlots(count: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const listeners = new Set<() => void>();
  return {
    get taken() {
      return taken;
    },
    get free() {
      return count - taken;
    },
    take: async (signal) => {
      if (taken < count) {
        taken++;
        return;
      }
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const leave = (): void => {
        const at = waiting.indexOf(resolve);
        // It may have its turn already.
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(signal?.reason);
      };
      waiting.push(resolve);
      signal?.addEventListener("abort", leave, { once: true });
      await promise.finally(() => signal?.removeEventListener("abort", leave));
    },
    give: () => {
      const next = waiting.shift();
      if (next) return next();
      taken--;
      for (const listener of listeners) listener();
    },
    onFree: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    whenIdle: () =>
      new Promise<void>((resolve) => {
        const check = (): void => {
          if (taken > 0) return;
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
  };
}
