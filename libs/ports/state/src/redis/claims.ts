import { StageResult } from "@microremed/contracts";
import { z } from "zod";
import { arenaName } from "../arenas.ts";
import type { Claims } from "../claims.ts";
import { stageKeyText } from "../results.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

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
      redis.use("reading a claim", async (client) => {
        return (await client.exists(keys.claim(stageKeyText(key)))) === 1;
      }),
    release: async (key, holder) => {
      await redis.run("release-claim", [keys.claim(stageKeyText(key))], [holder]);
    },
  };
}
