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
  /**
   * Stores the result that `holder` has reached under its claim, unless there is one; returns the one that is stored.
   * `undefined`: the claim is lost, so the result does not count.
   */
  store(result: StageResult, holder: string): Promise<StageResult | undefined>;
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
    store: async (result, holder) => {
      const name = stageKeyText(result);
      const text = JSON.stringify(result);
      const stored = await redis.run(
        "store-result",
        [keys.result(name), keys.claim(name)],
        [holder, text, retention.resultSeconds],
      );
      if (stored === 1) return result;
      return typeof stored === "string" ? parseStored(StageResult, keys.result(name), stored) : undefined;
    },
  };
}
