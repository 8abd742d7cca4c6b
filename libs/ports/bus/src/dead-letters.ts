import type { DeadLetter } from "./dead-letter.ts";

/** A dead letter as stored in its stream. */
export interface StoredDeadLetter extends DeadLetter {
  /** Its number in the stream. */
  readonly id: number;
}

/** The messages that no service could handle, each by its number in the stream. They are kept for 30 days. */
export interface DeadLetters {
  /** Those stored now, oldest first, at most `limit` (default 1000). */
  list(options?: { limit?: number }): AsyncIterable<StoredDeadLetter>;
  /** Throws `unknown-dead-letter` when there is none of that number. */
  get(id: number): Promise<StoredDeadLetter>;
  /** Publishes the message again where it had been published, and drops the letter. Throws when it was not kept whole. */
  retry(id: number): Promise<void>;
  /** False: there was none of that number. */
  drop(id: number): Promise<boolean>;
}
