import { z } from "zod";
import { type Outbox, OutboxMessage } from "../outbox.ts";
import { parseStored } from "../stored.ts";
import { gather } from "./gather.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** Those that were published within so long leave the outbox together, ms. */
const deleteWithinMs = 20;
/** Ids in one call of the script, which holds up every other client while it runs. */
const mostDeleted = 500;

export function createOutbox(redis: RedisLink, keys: Keys): Outbox {
  const both = [keys.outboxOrder, keys.outboxBodies];
  const deletions = gather<string>({
    withinMs: deleteWithinMs,
    most: mostDeleted,
    work: (ids) => redis.run("delete-outbox", both, ids),
  });
  return {
    claim: async ({ limit, claimMs }) => {
      const flat = z.array(z.string()).parse(await redis.run("claim-outbox", both, [limit, claimMs]));
      return Array.from({ length: flat.length / 2 }, (_, i) => {
        const [id = "", text = ""] = flat.slice(2 * i, 2 * i + 2);
        return { id, ...parseStored(OutboxMessage, `outbox ${id}`, text) };
      });
    },
    delete: (ids) => deletions.add(ids),
    release: async (ids) => {
      if (ids.length === 0) return;
      await redis.use("releasing messages", async (client) => {
        await client.zadd(keys.outboxOrder, "XX", ...ids.flatMap((id) => [0, id]));
      });
    },
    size: () => redis.use("counting the outbox", (client) => client.zcard(keys.outboxOrder)),
    [Symbol.asyncDispose]: () => deletions[Symbol.asyncDispose](),
  };
}
