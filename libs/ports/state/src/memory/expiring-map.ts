/** Values that may end by themselves. */
export interface ExpiringMap<V> {
  /** Sum of the values' sizes, those included that have expired and were not removed yet. */
  readonly bytes: number;
  get(key: string): V | undefined;
  /** `until`: when it ends, ms; `null`: never; absent: when the value before it would have ended. */
  set(key: string, value: V, until?: number | null): void;
  /** When it ends, ms; `null`: never, or there is none. */
  endOf(key: string): number | null;
  delete(key: string): void;
  /** Deletes those with keys of which this holds. */
  deleteWhere(isMeant: (key: string) => boolean): void;
}

interface Entry<V> {
  readonly value: V;
  readonly until: number | null;
  readonly bytes: number;
}

/** Writes without a sweep, at least: sweeping costs as much as there are entries. */
const leastBetweenSweeps = 1000;

/** `now`: the clock that `until` is compared with. */
export function createExpiringMap<V>(now: () => number, bytesOf: (value: V) => number): ExpiringMap<V> {
  const entries = new Map<string, Entry<V>>();
  let bytes = 0;
  let writes = 0;

  const remove = (key: string): void => {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  const find = (key: string): Entry<V> | undefined => {
    const entry = entries.get(key);
    if (entry?.until == null || entry.until >= now()) return entry;
    remove(key);
    return undefined;
  };
  /** Entries that are not read any more are removed too. */
  const sweep = (): void => {
    if (++writes < Math.max(leastBetweenSweeps, entries.size)) return;
    writes = 0;
    for (const key of entries.keys()) find(key);
  };
  return {
    get bytes() {
      return bytes;
    },
    get: (key) => find(key)?.value,
    endOf: (key) => find(key)?.until ?? null,
    set: (key, value, until) => {
      const kept = until === undefined ? (find(key)?.until ?? null) : until;
      remove(key);
      const entry = { value, until: kept, bytes: bytesOf(value) };
      bytes += entry.bytes;
      entries.set(key, entry);
      sweep();
    },
    delete: remove,
    deleteWhere: (isMeant) => {
      for (const key of entries.keys()) if (isMeant(key)) remove(key);
    },
  };
}
