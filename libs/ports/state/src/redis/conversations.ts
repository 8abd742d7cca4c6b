import { ChatMessage } from "@microremed/contracts";
import { type Conversations, lengthConflict } from "../conversations.ts";
import { retention } from "../retention.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

export function createConversations(redis: RedisLink, keys: Keys): Conversations {
  return {
    read: ({ episodeId, trial, beside }) =>
      redis.use("reading a conversation", async (client) => {
        const key = keys.conversation(episodeId, trial, beside);
        const messages = await client.lrange(key, 0, -1);
        return messages.map((text) => parseStored(ChatMessage, key, text));
      }),
    append: async ({ episodeId, trial, beside }, expectedLength, messages) => {
      const length = await redis.run(
        "append-conversation",
        [keys.conversation(episodeId, trial, beside)],
        [
          expectedLength,
          retention.conversationSeconds,
          ...messages.map((message) => JSON.stringify(message)),
        ],
      );
      if (Number(length) >= 0) return;
      throw lengthConflict({ episodeId, trial }, -1 - Number(length), expectedLength);
    },
  };
}
