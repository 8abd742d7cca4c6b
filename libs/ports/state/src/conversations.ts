import { ChatMessage, type Conversation } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { retention } from "./retention.ts";
import { parseStored } from "./stored.ts";

/** A trial of an episode: a retry on a fresh arena starts a conversation of its own. */
export interface ConversationKey {
  readonly episodeId: string;
  readonly trial: number;
}

export interface Conversations {
  /** Empty when there is none. */
  read(key: ConversationKey): Promise<Conversation>;
  /** Throws retryable `version-conflict` when it does not have `expectedLength` messages: somebody else wrote. */
  append(key: ConversationKey, expectedLength: number, messages: Conversation): Promise<void>;
}

export function createConversations(redis: RedisLink, keys: Keys): Conversations {
  return {
    read: ({ episodeId, trial }) =>
      redis.use("reading a conversation", async (client) => {
        const key = keys.conversation(episodeId, trial);
        const messages = await client.lrange(key, 0, -1);
        return messages.map((text) => parseStored(ChatMessage, key, text));
      }),
    append: async ({ episodeId, trial }, expectedLength, messages) => {
      const length = await redis.run(
        "append-conversation",
        [keys.conversation(episodeId, trial)],
        [
          expectedLength,
          retention.conversationSeconds,
          ...messages.map((message) => JSON.stringify(message)),
        ],
      );
      if (Number(length) >= 0) return;
      throw retryable(
        "version-conflict",
        `the conversation of ${episodeId} has ${-1 - Number(length)} messages, expected ${expectedLength}`,
        { episodeId, trial },
      );
    },
  };
}
