/** Work that many ask for at about the same time, done once for all of them. */
export interface Gathered<T> extends AsyncDisposable {
  /** Returns when it is done, or throws as it did. */
  add(items: readonly T[]): Promise<void>;
}

export interface GatherOptions<T> {
  /** From the first item to the work, ms. */
  readonly withinMs: number;
  /** So many are not kept waiting. */
  readonly most: number;
  readonly work: (items: readonly T[]) => Promise<unknown>;
}

/** Disposing does what was asked for and waits for it. */
export function gather<T>({ withinMs, most, work }: GatherOptions<T>): Gathered<T> {
  let items: T[] = [];
  let done = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (items.length === 0) return;
    const { resolve, reject, promise } = done;
    work(items).then(() => resolve(), reject);
    last = promise.catch(() => undefined);
    items = [];
    done = Promise.withResolvers();
  };
  return {
    add: async (more) => {
      if (more.length === 0) return;
      items.push(...more);
      const { promise } = done;
      if (items.length >= most) flush();
      else timer ??= setTimeout(flush, withinMs);
      return promise;
    },
    [Symbol.asyncDispose]: async () => {
      flush();
      await last;
    },
  };
}
