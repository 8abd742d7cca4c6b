import type { WatchEvent } from "../store.types.ts";

const capacity = 4096;

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
  return {
    add(version, event) {
      events.push({ version, event });
      if (events.length < 2 * capacity) return;
      forgotten = events[events.length - capacity - 1]?.version ?? forgotten;
      events = events.slice(-capacity);
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
