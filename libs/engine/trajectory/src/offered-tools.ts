import type { ChatMessage } from "@microremed/contracts";
import type { ToolSpec } from "@microremed/llm";

/** Tools by the names that models know them by. */
export type KnownTools = ReadonlyMap<string, ToolSpec>;

/** The known tools that were offered in a conversation, in the order of their first offer. */
export function offeredTools(conversation: readonly ChatMessage[], known: KnownTools): ToolSpec[] {
  const names = conversation.flatMap((message) =>
    message.role === "assistant" ? (message.exchange?.tools ?? []) : [],
  );
  return [...new Set(names)].flatMap((name) => known.get(name) ?? []);
}
