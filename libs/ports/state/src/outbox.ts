import { z } from "zod";

/** A message that is to be published because of a change of state. */
export const OutboxMessage = z.strictObject({
  subject: z.string(),
  body: z.unknown(),
  msgId: z.string().describe("makes publishing it twice harmless"),
  headers: z.record(z.string(), z.string()).default({}),
});
export type OutboxMessage = z.input<typeof OutboxMessage>;

/** A message that only the caller may publish for now. */
export interface ClaimedMessage extends z.output<typeof OutboxMessage> {
  /** Its number in the outbox. */
  readonly id: string;
}

/** Disposing takes out what is to be deleted. */
export interface Outbox extends AsyncDisposable {
  /** The oldest messages that no other process is publishing, hidden from others for `claimMs`. */
  claim(options: { limit: number; claimMs: number }): Promise<ClaimedMessage[]>;
  /** Those that could not be published may be claimed by anybody again. */
  release(ids: readonly string[]): Promise<void>;
  /** After they were published; soon, together with what else was. */
  delete(ids: readonly string[]): Promise<void>;
  /** How many wait, claimed ones included. */
  size(): Promise<number>;
}

/** Id of the message of this number: ids are in the order of numbers. */
export function messageId(number: number): string {
  return String(number).padStart(16, "0");
}

/** Messages as they lie in the outbox from the number `first` on. */
export function numbered(messages: readonly OutboxMessage[], first: number): ClaimedMessage[] {
  return messages.map(({ headers = {}, ...message }, i) => ({
    ...message,
    headers,
    id: messageId(first + i),
  }));
}

/** Messages as they are stored. */
export function packed(messages: readonly OutboxMessage[]): string[] {
  return messages.map((message) => JSON.stringify(message));
}
