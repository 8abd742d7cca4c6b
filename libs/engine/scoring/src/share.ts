import { type Interval, wilsonInterval } from "./wilson.ts";

/** A share with its 95 % Wilson interval. */
export interface Share {
  readonly of: number;
  readonly hits: number;
  /** `null`: of nothing. */
  readonly rate: number | null;
  readonly interval: Interval | null;
}

/** Of those of which it is known; null: it is not. */
export function share<T>(all: readonly T[], isHit: (one: T) => boolean | null): Share {
  const known = all.map(isHit).filter((hit) => hit !== null);
  const hits = known.filter(Boolean).length;
  return {
    of: known.length,
    hits,
    rate: known.length === 0 ? null : hits / known.length,
    interval: wilsonInterval(hits, known.length) ?? null,
  };
}
