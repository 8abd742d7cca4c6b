import { StageResult } from "@microremed/contracts";
import { type Results, stageKeyText } from "../results.ts";
import { retention } from "../retention.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

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
