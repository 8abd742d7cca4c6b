import type { ChatMessage } from "@microremed/contracts";
import { estimateTokens } from "./estimate-tokens.ts";

/**
 * A conversation of at most so many tokens: of what follows its opening, the oldest answers are left out, each with the
 * answers of its tools. The opening and the latest answer stay, however long they are.
 */
export function withinTokens(
  messages: readonly ChatMessage[],
  tokens: number | null,
): readonly ChatMessage[] {
  if (tokens === null || estimateTokens(messages) <= tokens) return messages;
  const first = messages.findIndex(({ role }) => role === "assistant");
  if (first < 0) return messages;
  const opening = messages.slice(0, first);
  const starts = messages.flatMap(({ role }, i) => (role === "assistant" ? [i] : []));
  const fits = starts.find((start) => estimateTokens([...opening, ...messages.slice(start)]) <= tokens);
  return [...opening, ...messages.slice(fits ?? starts.at(-1))];
}
