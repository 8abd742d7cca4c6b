import type { WatchEvent } from "./store.types.ts";

const capacity = 4096;
/** Kept of the large values that ConfigMaps and Secrets may hold, in characters. */
const maxWeight = 32 * 1024 * 1024;

function weightOf({ object }: WatchEvent): number {
  let weight = 0;
  for (const name of ["data", "binaryData"]) {
    const values = object[name];
    if (typeof values !== "object" || values === null) continue;
    for (const value of Object.values(values)) if (typeof value === "string") weight += value.length;
  }
  return weight;
}

interface Recorded {
  readonly version: number;
  readonly event: WatchEvent;
}

/** The last changes of one resource, so that a watch can start at a resourceVersion of the recent past. */
export interface EventHistory {
  add(version: number, event: WatchEvent): void;
  /** Changes after `version`, oldest first; undefined when some of them are already forgotten. */
  since(version: number): readonly WatchEvent[] | undefined;
  /** Changes up to this version are forgotten. */
  readonly forgotten: number;
}

export function createEventHistory(forgottenBefore = 0): EventHistory {
  let events: Recorded[] = [];
  let forgotten = forgottenBefore;
  let weight = 0;
  function keepLast(count: number): void {
    forgotten = events[events.length - count - 1]?.version ?? forgotten;
    events = count > 0 ? events.slice(-count) : [];
    weight = events.reduce((sum, recorded) => sum + weightOf(recorded.event), 0);
  }
  return {
    add(version, event) {
      events.push({ version, event });
      weight += weightOf(event);
      if (events.length >= 2 * capacity) keepLast(capacity);
      if (weight > maxWeight) keepLast(Math.floor(events.length / 2));
    },
    since(version) {
      if (version < forgotten) return undefined;
      const first = events.findIndex((recorded) => recorded.version > version);
      return first < 0 ? [] : events.slice(first).map((recorded) => recorded.event);
    },
    get forgotten() {
      return forgotten;
    },
  };
}
