import { AppError } from "@microremed/core";

/** Requests under way, by what they are counted for. */
export interface InFlight {
  /** Counts one. Throws `too-many-requests`, and counts nothing, when there are as many as there may be. */
  enter(key: string): void;
  leave(key: string): void;
  readonly size: number;
}

/** `most`: of each key. */
export function createInFlight(most: number): InFlight {
  const counts = new Map<string, number>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    enter: (key) => {
      const count = counts.get(key) ?? 0;
      if (count >= most) {
        const message = `${count} requests of this token are under way, the most that may be; wait for one to end`;
        throw new AppError("too-many-requests", message, { severity: "retryable", retryAfterMs: 1_000 });
      }
      counts.set(key, count + 1);
      size++;
    },
    leave: (key) => {
      const count = (counts.get(key) ?? 0) - 1;
      if (count > 0) counts.set(key, count);
      else counts.delete(key);
      size--;
    },
  };
}
