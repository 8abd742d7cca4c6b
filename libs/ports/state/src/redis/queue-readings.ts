import { z } from "zod";
import type { QueueReadings } from "../queue-readings.ts";
import { retention } from "../retention.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const Reading = z.object({ deliveries: z.number(), at: z.number() });

export function createQueueReadings(redis: RedisLink, keys: Keys): QueueReadings {
  return {
    get: async (subject) => {
      const key = keys.queueReading(subject);
      const text = await redis.use("reading what a queue had", (client) => client.get(key));
      return text === null ? undefined : parseStored(Reading, key, text);
    },
    set: (subject, reading) =>
      redis.use("noting what a queue has", async (client) => {
        const text = JSON.stringify(reading);
        await client.set(keys.queueReading(subject), text, "EX", retention.queueReadingSeconds);
      }),
  };
}
