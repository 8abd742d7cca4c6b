import { randomUUID } from "node:crypto";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** The identity that the first process to ask has given the range. It never expires. */
export const readRangeId = (redis: RedisLink, keys: Keys): Promise<string> =>
  redis.use("reading the identity of the range", async (client) => {
    const fresh = randomUUID();
    await client.set(keys.range, fresh, "NX");
    return (await client.get(keys.range)) ?? fresh;
  });
