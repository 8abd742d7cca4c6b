import type { User } from "@microremed/sim-kinds";
import { StatusError } from "@microremed/sim-objects";
import type { ApiResponse } from "./exchange.types.ts";

/** Of what one user has not taken yet, bytes: as much as its namespace may hold. It gets one more answer below that. */
const mostOfOne = 32 * 1024 * 1024;
const largeBytes = 64 * 1024;

/** What the users of one server leave of large answers without taking it: that is in memory, and not in V8's. */
export interface UntakenBound {
  /** Throws 429 for a user who has left too much already. */
  requireRoom(user: User): void;
  /** Counts what was given to the user in, until the client has taken it or has gone. */
  give(user: User, response: ApiResponse, bytes: number): void;
}

/** Administrators are not refused: they may have to repair it. */
export function createUntakenBound(): UntakenBound {
  const untaken = new Map<string, number>();
  return {
    requireRoom({ name, groups }) {
      if ((untaken.get(name) ?? 0) < mostOfOne || groups.includes("system:masters")) return;
      throw new StatusError(
        429,
        "TooManyRequests",
        `answers of more than ${mostOfOne} bytes wait to be read; read them first`,
        { retryAfterSeconds: 1 },
      );
    },
    give({ name }, response, bytes) {
      if (bytes <= largeBytes || response.destroyed) return;
      untaken.set(name, (untaken.get(name) ?? 0) + bytes);
      let waits = true;
      const taken = (): void => {
        if (!waits) return;
        waits = false;
        const left = (untaken.get(name) ?? 0) - bytes;
        if (left > 0) untaken.set(name, left);
        else untaken.delete(name);
      };
      response.once("drain", taken);
      response.once("close", taken);
    },
  };
}
