import type { ChatMessage } from "@microremed/contracts";

/** Characters of everything said, tool arguments included. */
export function conversationChars(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + messageChars(message), 0);
}

function messageChars(message: ChatMessage): number {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  return calls.reduce((sum, call) => sum + call.arguments.length, message.content.length);
}

/** The published benchmark's estimate: a token is four characters. */
export function estimateTokens(messages: readonly ChatMessage[]): number {
  return Math.floor(conversationChars(messages) / 4);
}
