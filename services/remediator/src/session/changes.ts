/** Lets several wait for a condition that others bring about in this process. */
export interface Changes {
  /** Something has changed: who waits checks again. */
  announce(): void;
  /** Resolves once `isMet` gives something, or to undefined after so many ms or when the signal aborts. */
  until<T>(isMet: () => T | undefined, ms: number, signal?: AbortSignal): Promise<T | undefined>;
}

export function createChanges(): Changes {
  const waiting = new Set<() => void>();
  return {
    announce: () => {
      for (const check of [...waiting]) check();
    },
    until: (isMet, ms, signal) => {
      const met = isMet();
      if (met !== undefined || ms <= 0 || signal?.aborted) return Promise.resolve(met);
      return new Promise((resolve) => {
        const end = (value?: ReturnType<typeof isMet>): void => {
          waiting.delete(check);
          clearTimeout(timer);
          signal?.removeEventListener("abort", stop);
          resolve(value);
        };
        const check = (): void => {
          const value = isMet();
          if (value !== undefined) end(value);
        };
        const stop = (): void => end();
        const timer = setTimeout(stop, ms);
        waiting.add(check);
        signal?.addEventListener("abort", stop);
      });
    },
  };
}
