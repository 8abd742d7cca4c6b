/** A reader that leaves this much unread is disconnected; it then lists again. */
const maxOfOne = 16 * 1024 * 1024;
/** Enough for a few changes. */
const minOfOne = 64 * 1024;
const maxOfAll = 512 * 1024 * 1024;

/** What the watchers of one server may leave unread: the more there are, the less each of them. */
export interface UnreadBound {
  /** Counts a watcher in; call the result when it goes. */
  enter(): () => void;
  /** Bytes for one watcher now. */
  bytes(): number;
}

export function createUnreadBound(): UnreadBound {
  let watchers = 0;
  return {
    enter() {
      watchers += 1;
      return () => {
        watchers -= 1;
      };
    },
    bytes: () => Math.max(minOfOne, Math.min(maxOfOne, maxOfAll / Math.max(1, watchers))),
  };
}
