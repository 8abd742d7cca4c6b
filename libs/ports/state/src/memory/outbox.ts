import { messageId, type Outbox, OutboxMessage, packed } from "../outbox.ts";
import { parseStored } from "../stored.ts";
import type { MemoryData } from "./memory-data.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createOutbox({ data, use }: MemoryLink): Outbox {
  const { outboxOrder, outboxTexts } = data;
  return {
    claim: ({ limit, claimMs }) =>
      use(() => {
        const now = data.now();
        const ids = outboxOrder.upTo(now, limit);
        for (const id of ids) outboxOrder.set(id, now + claimMs);
        return ids.map((id) => {
          const text = outboxTexts.get(id) ?? "";
          return { id, ...parseStored(OutboxMessage, `outbox ${id}`, text) };
        });
      }),
    release: (ids) =>
      use(() => {
        for (const id of ids) outboxOrder.move(id, 0);
      }),
    delete: (ids) =>
      use(() => {
        for (const id of ids) {
          outboxOrder.delete(id);
          outboxTexts.delete(id);
        }
      }),
    size: () => use(() => outboxOrder.size),
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Adds messages in order, which for `claimMs` only the caller may publish; returns the number of the first. */
export function send(data: MemoryData, messages: readonly OutboxMessage[], claimMs: number): number {
  const first = data.sent + 1;
  const at = data.now() + claimMs;
  packed(messages).forEach((text, i) => {
    const id = messageId(first + i);
    data.outboxTexts.set(id, text, null);
    data.outboxOrder.set(id, at);
  });
  data.sent += messages.length;
  return first;
}
