import type { WatchEvent } from "./store.types.ts";
import { weightOf } from "./weight.ts";

/**
 * Events kept for watches that resume; older resource versions get 410, as after an etcd compaction. A watch begins where
 * a list ended, some events ago; an API server keeps 100 of a resource at least.
 */
const capacity = 1024;
/** Of the objects of one resource that are kept, see `weightOf`. */
const maxWeight = 8 * 1024 * 1024;

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
    weight = events.reduce((sum, { event }) => sum + weightOf(event.object), 0);
  }
  return {
    add(version, event) {
      events.push({ version, event });
      weight += weightOf(event.object);
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
