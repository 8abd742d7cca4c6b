import type { Conversation } from "@microremed/contracts";
import { type AppError, retryable } from "@microremed/core";

/** A trial of an episode: a retry on a fresh arena starts a conversation of its own. */
export interface ConversationKey {
  readonly episodeId: string;
  readonly trial: number;
  /** Of a conversation that is none of the agent's, such as that with a judge: its name. Absent: the agent's own. */
  readonly beside?: string;
}

/** Conversations with models, one for each trial of an episode. They only grow. */
export interface Conversations {
  /** Empty when there is none. */
  read(key: ConversationKey): Promise<Conversation>;
  /** Throws retryable `version-conflict` when it does not have `expectedLength` messages: another process wrote. */
  append(key: ConversationKey, expectedLength: number, messages: Conversation): Promise<void>;
}

export function lengthConflict(key: ConversationKey, length: number, expected: number): AppError {
  const { episodeId, trial } = key;
  const message = `the conversation of ${episodeId} has ${length} messages, expected ${expected}`;
  return retryable("version-conflict", message, { episodeId, trial });
}
