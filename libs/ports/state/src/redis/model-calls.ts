import { z } from "zod";
import type { ModelCalls } from "../model-calls.ts";
import { retention } from "../retention.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const blocked = z.tuple([z.number(), z.number()]);

export function createModelCalls(redis: RedisLink, keys: Keys): ModelCalls {
  return {
    reserve: async (model, { requestsPerMinute = 0, tokensPerMinute = 0 }, tokens) => {
      if (requestsPerMinute === 0 && tokensPerMinute === 0) return 0;
      const args = [requestsPerMinute, tokensPerMinute, tokens, retention.modelCallsSeconds];
      return Number(await redis.run("reserve-call", [keys.model(model)], args));
    },
    blockedFor: async (model) => {
      const [ms, failing] = blocked.parse(await redis.run("pass-circuit", [keys.model(model)], []));
      return { ms, failing: failing === 1 };
    },
    settle: async (model, { tokensPerMinute = 0 }, moreTokens) => {
      await redis.run("settle-call", [keys.model(model)], [tokensPerMinute, moreTokens]);
    },
    fail: async (model, retryAfterMs) => {
      const args = [Math.ceil(retryAfterMs ?? -1), retention.modelCallsSeconds];
      await redis.run("fail-call", [keys.model(model)], args);
    },
  };
}
