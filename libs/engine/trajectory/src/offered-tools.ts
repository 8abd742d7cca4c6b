import type { Conversation } from "@microremed/contracts";
import { toolNamed } from "@microremed/methods";

/** The tools that were offered in a conversation, in the order of their first offer. */
export function offeredTools(conversation: Conversation) {
  const names = conversation.flatMap((message) =>
    message.role === "assistant" ? (message.exchange?.tools ?? []) : [],
  );
  return [...new Set(names)].flatMap((name) => toolNamed(name) ?? []);
}
