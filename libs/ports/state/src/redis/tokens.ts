import { TokenRecord } from "@microremed/contracts";
import { z } from "zod";
import { parseStored } from "../stored.ts";
import { burst, chargedMs, mostTokens, type Tokens, tooManyTokens } from "../tokens.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const Used = z.union([
  z.tuple([z.literal("unknown")]),
  z.tuple([z.literal("ok"), z.string()]),
  z.tuple([z.literal("too-many"), z.string(), z.number()]),
]);

export function createTokens(redis: RedisLink, keys: Keys): Tokens {
  return {
    put: (token) =>
      redis.use("storing a token", async (client) => {
        const { id } = token;
        const isKnown = (await client.sismember(keys.tokens, id)) === 1;
        if (!isKnown && (await client.scard(keys.tokens)) >= mostTokens) throw tooManyTokens();
        await client.multi().set(keys.token(id), JSON.stringify(token)).sadd(keys.tokens, id).exec();
      }),
    list: () =>
      redis.use("listing tokens", async (client) => {
        const ids = (await client.smembers(keys.tokens)).toSorted();
        if (ids.length === 0) return [];
        const texts = await client.mget(...ids.map(keys.token));
        return texts.flatMap((text, i) =>
          text === null ? [] : [parseStored(TokenRecord, keys.token(ids[i] ?? ""), text)],
        );
      }),
    revoke: (id) =>
      redis.use("revoking a token", async (client) => {
        const done = await client.multi().del(keys.token(id)).srem(keys.tokens, id).exec();
        return done?.[1]?.[1] === 1;
      }),
    use: async (id, secretHash) => {
      const reply = await redis.run("use-token", [keys.rate(id)], [keys.token(id), secretHash, burst]);
      const [status, text, waitMs] = Used.parse(reply);
      if (status === "unknown") return { status };
      const token = parseStored(TokenRecord, keys.token(id), text);
      return status === "ok" ? { status, token } : { status, token, waitMs };
    },
    charge: async ({ id, problemsPerHour }, problems) => {
      const eachMs = chargedMs / problemsPerHour;
      return z
        .number()
        .parse(await redis.run("charge-token", [keys.problemRate(id)], [problems, eachMs, chargedMs]));
    },
  };
}
