import { stageKeyText } from "../results.ts";
import { retention } from "../retention.ts";
import type { Starts } from "../starts.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

export function createStarts(redis: RedisLink, keys: Keys): Starts {
  return {
    begin: (key) =>
      redis.use("noting that a command is begun", async (client) => {
        const name = keys.start(stageKeyText(key));
        return (await client.set(name, "1", "EX", retention.resultSeconds, "NX")) === "OK";
      }),
  };
}
