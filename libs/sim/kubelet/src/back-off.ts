import type { EventLoop } from "@microremed/sim-time";

/** Waits that double from one failure to the next, as the kubelet's flowcontrol.Backoff. */
export interface BackOff {
  /** Ms still to wait before another try, when the last failure was at `failedAt`. */
  left(key: string, failedAt: number, now: number): number;
  /** The present wait of a key, ms. */
  delay(key: string): number;
  /** Notes a try after a failure at `failedAt`: the next one waits twice as long. */
  next(key: string, failedAt: number, now: number): void;
  forget(key: string): void;
}

export function createBackOff({ keep }: Pick<EventLoop, "keep">, firstMs: number, maxMs: number): BackOff {
  const entries = keep(new Map<string, { readonly delay: number; readonly updatedAt: number }>());
  const isFresh = (updatedAt: number, failedAt: number): boolean => failedAt - updatedAt <= 2 * maxMs;
  return {
    left(key, failedAt, now) {
      const entry = entries.get(key);
      if (!entry || !isFresh(entry.updatedAt, failedAt)) return 0;
      return Math.max(0, failedAt + entry.delay - now);
    },
    delay: (key) => entries.get(key)?.delay ?? 0,
    next(key, failedAt, now) {
      const entry = entries.get(key);
      const delay = entry && isFresh(entry.updatedAt, failedAt) ? Math.min(entry.delay * 2, maxMs) : firstMs;
      entries.set(key, { delay, updatedAt: now });
    },
    forget: (key) => {
      entries.delete(key);
    },
  };
}
