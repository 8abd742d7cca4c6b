/** What one side of an edge has counted since its program started. Cumulative, as Prometheus' histograms are. */
export interface EdgeCounts {
  readonly ok: number;
  readonly failed: number;
  /** Upper bound in ms -> requests without an error that took no longer. */
  readonly within: ReadonlyMap<number, number>;
}

export const noCounts: EdgeCounts = { ok: 0, failed: 0, within: new Map() };

export function addCounts(a: EdgeCounts, b: EdgeCounts): EdgeCounts {
  const within = new Map(a.within);
  for (const [bound, count] of b.within) within.set(bound, (within.get(bound) ?? 0) + count);
  return { ok: a.ok + b.ok, failed: a.failed + b.failed, within };
}

/** What was counted between two readings of one program; one that started anew in between counts from nought. */
export function countsBetween(before: EdgeCounts | undefined, after: EdgeCounts): EdgeCounts {
  if (!before || after.ok < before.ok || after.failed < before.failed) return after;
  const within = new Map([...after.within].map(([at, count]) => [at, count - (before.within.get(at) ?? 0)]));
  return { ok: after.ok - before.ok, failed: after.failed - before.failed, within };
}

/** Smallest bucket bound, ms, that covers the share of the requests without an error; infinite: none does. */
export function quantileBound({ ok, within }: EdgeCounts, share: number): number {
  const bounds = [...within].filter(([, count]) => count >= share * ok).map(([bound]) => bound);
  return Math.min(Number.POSITIVE_INFINITY, ...bounds);
}
