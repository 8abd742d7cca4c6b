import { ChatMessage } from "@microremed/contracts";
import { type ConversationKey, type Conversations, lengthConflict } from "../conversations.ts";
import { retention } from "../retention.ts";
import { parseStored } from "../stored.ts";
import type { MemoryLink } from "./memory-link.ts";

export function createConversations({ data, use, grow }: MemoryLink): Conversations {
  const nameOf = ({ episodeId, trial, beside }: ConversationKey): string =>
    `${episodeId}/${trial}${beside === undefined ? "" : `/${beside}`}`;
  const textsOf = (key: ConversationKey): readonly string[] => data.conversations.get(nameOf(key)) ?? [];
  return {
    read: (key) =>
      use(() => textsOf(key).map((text) => parseStored(ChatMessage, `conversation ${nameOf(key)}`, text))),
    append: (key, expectedLength, messages) =>
      grow(() => {
        const texts = textsOf(key);
        if (texts.length !== expectedLength) throw lengthConflict(key, texts.length, expectedLength);
        const longer = [...texts, ...messages.map((message) => JSON.stringify(message))];
        const until = data.now() + retention.conversationSeconds * 1000;
        if (longer.length > 0) data.conversations.set(nameOf(key), longer, until);
      }),
  };
}
