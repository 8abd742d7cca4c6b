import { z } from "zod";
import { gather } from "./gather.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { parseStored } from "./stored.ts";

/** A message that is to be published because of a change of state. */
export const OutboxMessage = z.strictObject({
  subject: z.string(),
  body: z.unknown(),
  msgId: z.string().describe("makes publishing it twice harmless"),
  headers: z.record(z.string(), z.string()).default({}),
});
export type OutboxMessage = z.input<typeof OutboxMessage>;

export interface ClaimedMessage extends z.output<typeof OutboxMessage> {
  /** Its number in the outbox. */
  readonly id: string;
}

/** Disposing takes out what is to be deleted. */
export interface Outbox extends AsyncDisposable {
  /** The oldest messages that nobody else is publishing, hidden from others for `claimMs`. */
  claim(options: { limit: number; claimMs: number }): Promise<ClaimedMessage[]>;
  /** Those that could not be published may be claimed by anybody again. */
  release(ids: readonly string[]): Promise<void>;
  /** After they were published; soon, together with what else was. */
  delete(ids: readonly string[]): Promise<void>;
  /** How many wait, claimed ones included. */
  size(): Promise<number>;
}

/** Those that were published within so long leave the outbox together, ms. */
const deleteWithinMs = 20;
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

/** Messages as they lie in the outbox from the number `first` on. */
export function numbered(messages: readonly OutboxMessage[], first: number): ClaimedMessage[] {
  return messages.map(({ headers = {}, ...message }, i) => ({
    ...message,
    headers,
    id: String(first + i).padStart(16, "0"),
  }));
}

/** Messages as scripts take them. */
export function packed(messages: readonly OutboxMessage[]): string[] {
  return messages.map((message) => JSON.stringify(message));
}
