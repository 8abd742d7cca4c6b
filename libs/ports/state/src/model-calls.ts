import { z } from "zod";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { retention } from "./retention.ts";

/** What a model's provider allows per minute; absent: no limit. */
interface CallLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** Where all replicas keep count of one another's calls of a model, by Redis' clock. Times in ms. */
export interface ModelCalls {
  /** Reserves a place for a call of about so many tokens; returns how long to wait for it. */
  reserve(model: string, limits: CallLimits, tokens: number): Promise<number>;
  /** How long nobody may call the model, and whether that is because its provider fails or because it said so. */
  blockedFor(model: string): Promise<{ readonly ms: number; readonly failing: boolean }>;
  /** A call brought an answer and used so many tokens more than it reserved (less than none: fewer). */
  settle(model: string, limits: CallLimits, moreTokens: number): Promise<void>;
  /** The provider could not answer; it asked for so long a pause, or for none. */
  fail(model: string, retryAfterMs: number | undefined): Promise<void>;
}

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
