import { type Stage, StageResult } from "@microremed/contracts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { retention } from "./retention.ts";
import { parseStored } from "./stored.ts";

/** What one command is idempotent under. */
export interface StageKey {
  readonly episodeId: string;
  readonly trial: number;
  readonly attempt: number;
  readonly stage: Stage;
}

export interface Results {
  get(key: StageKey): Promise<StageResult | undefined>;
  /** Stores a stage's result unless there is one; returns the one that is stored. */
  store(result: StageResult): Promise<StageResult>;
}

/** `<episode>/<trial>/<attempt>/<stage>`. */
export function stageKeyText(key: StageKey): string {
  return `${key.episodeId}/${key.trial}/${key.attempt}/${key.stage}`;
}

export function createResults(redis: RedisLink, keys: Keys): Results {
  const get: Results["get"] = (stageKey) =>
    redis.use("reading a stage's result", async (client) => {
      const key = keys.result(stageKeyText(stageKey));
      const text = await client.get(key);
      return text === null ? undefined : parseStored(StageResult, key, text);
    });
  return {
    get,
    store: async (result) => {
      const key = keys.result(stageKeyText(result));
      const stored = await redis.use("storing a stage's result", (client) =>
        client.set(key, JSON.stringify(result), "EX", retention.resultSeconds, "NX"),
      );
      return stored === "OK" ? result : ((await get(result)) ?? result);
    },
  };
}
