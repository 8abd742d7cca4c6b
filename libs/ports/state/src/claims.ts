import { type Arena, StageResult } from "@microremed/contracts";
import { z } from "zod";
import { arenaName } from "./arenas.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { type StageKey, stageKeyText } from "./results.ts";
import { parseStored } from "./stored.ts";

/** A command as claims know it: what it is idempotent under, and the lease under which it may act. */
export interface ClaimKey extends StageKey {
  readonly arena: Pick<Arena, "cluster" | "slot" | "fence">;
}

export type Taking =
  | { readonly status: "taken" }
  /** There is a result already. */
  | { readonly status: "done"; readonly result: StageResult }
  /** Somebody else is at it; unless prolonged, the claim ends in so many ms. */
  | { readonly status: "busy"; readonly forMs: number }
  /** The arena has another lease by now. */
  | { readonly status: "stale"; readonly fence: number };

/**
 * Who works on a command. A message may be delivered again while somebody still works on it, e.g. to the replica of a
 * process that was paused: the claim keeps them apart, and the one that lost it may change nothing any more.
 */
export interface Claims {
  /** `holder`: different for every delivery. */
  take(key: ClaimKey, holder: string, claimMs: number): Promise<Taking>;
  /** False: the claim, or the arena's lease, is lost for good. */
  renew(key: ClaimKey, holder: string, claimMs: number): Promise<boolean>;
  /** Whether somebody works on it. */
  isHeld(key: StageKey): Promise<boolean>;
  /** So that the next delivery need not wait for the claim's end. */
  release(key: ClaimKey, holder: string): Promise<void>;
}

const Reply = z.tuple([z.enum(["taken", "done", "busy", "stale"]), z.string().default("")]);

export function createClaims(redis: RedisLink, keys: Keys): Claims {
  return {
    take: async (key, holder, claimMs) => {
      const name = stageKeyText(key);
      const reply = await redis.run(
        "take-claim",
        [keys.result(name), keys.claim(name)],
        [key.arena.fence, holder, claimMs, keys.arena(arenaName(key.arena))],
      );
      const [status, value] = Reply.parse(reply);
      switch (status) {
        case "taken":
          return { status };
        case "done":
          return { status, result: parseStored(StageResult, keys.result(name), value) };
        case "busy":
          return { status, forMs: Number(value) };
        case "stale":
          return { status, fence: Number(value) };
        default:
          return status satisfies never;
      }
    },
    renew: async (key, holder, claimMs) => {
      const reply = await redis.run(
        "renew-claim",
        [keys.claim(stageKeyText(key))],
        [key.arena.fence, holder, claimMs, keys.arena(arenaName(key.arena))],
      );
      return reply === 1;
    },
    isHeld: (key) =>
      redis.use("looking at a claim", async (client) => {
        return (await client.exists(keys.claim(stageKeyText(key)))) === 1;
      }),
    release: async (key, holder) => {
      await redis.run("release-claim", [keys.claim(stageKeyText(key))], [holder]);
    },
  };
}
