import { ModelPause } from "@microremed/contracts";
import { type ModelPauses, parsePausedName, pausedName } from "../model-pauses.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

export function createModelPauses(redis: RedisLink, { pausedModels }: Keys): ModelPauses {
  return {
    begin: (model, pause) =>
      redis.use("pausing a model", async (client) => {
        return (await client.hsetnx(pausedModels, pausedName(model), JSON.stringify(pause))) === 1;
      }),
    update: (model, pause) =>
      redis.use("pausing a model", async (client) => {
        await client.hset(pausedModels, pausedName(model), JSON.stringify(pause));
      }),
    list: async () => {
      const found = await redis.use("listing paused models", (client) => client.hgetall(pausedModels));
      return Object.entries(found).map(([name, text]) => ({
        ...parsePausedName(name),
        pause: parseStored(ModelPause, `${pausedModels} ${name}`, text),
      }));
    },
    end: (model) =>
      redis.use("ending a model's pause", async (client) => {
        return (await client.hdel(pausedModels, pausedName(model))) === 1;
      }),
  };
}
