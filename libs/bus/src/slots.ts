/** A counting semaphore. */
export interface Slots {
  readonly taken: number;
  /** Returns once a slot is free, in the order of asking. */
  take(): Promise<void>;
  give(): void;
  /** Returns once a slot was free for a moment, taking none. */
  whenFree(): Promise<void>;
  /** Returns once nobody holds a slot. */
  whenIdle(): Promise<void>;
}

export function createSlots(count: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const watching: (() => void)[] = [];
  return {
    get taken() {
      return taken;
    },
    take: async () => {
      if (taken < count) {
        taken++;
        return;
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give: () => {
      const next = waiting.shift();
      if (next) {
        next();
        return;
      }
      taken--;
      for (const resolve of watching.splice(0)) resolve();
    },
    whenFree: async () => {
      while (taken >= count) await new Promise<void>((resolve) => watching.push(resolve));
    },
    whenIdle: async () => {
      while (taken > 0) await new Promise<void>((resolve) => watching.push(resolve));
    },
  };
}
