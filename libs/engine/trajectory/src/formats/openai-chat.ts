import { type ChatMessage, type EpisodeDocument, sentOf, type ToolCall } from "@microremed/contracts";
import type { ToolSpec } from "@microremed/llm";
import { type KnownTools, offeredTools } from "../offered-tools.ts";
import { rewardsOf } from "../rewards.ts";
import { defineFormat, jsonLines } from "./format.ts";
import { labelsOf } from "./labels.ts";

/** Lines as OpenAI's fine-tuning and reward formats have them, and what trainers for open models read too. */
export const openAiChat = defineFormat({
  name: "openai-chat",
  description: "one line per episode: messages and tools of the chat completions API, with rewards",
  extension: "jsonl",
  write: (episodes, tools) => jsonLines(episodes.map((episode) => line(episode, tools))),
});

function line(document: EpisodeDocument, known: KnownTools) {
  const conversation = sentOf(document.conversation);
  const tools = openAiTools(offeredTools(conversation, known));
  return {
    messages: openAiMessages(conversation),
    ...(tools.length > 0 && { tools }),
    rewards: rewardsOf(document),
    metadata: labelsOf(document),
  };
}

/** Messages as the chat completions API has them. */
export const openAiMessages = (conversation: readonly ChatMessage[]) => conversation.map(messageOf);

/** Tools as the chat completions API has them. */
export const openAiTools = (tools: readonly ToolSpec[]) =>
  tools.map((tool) => ({ type: "function", function: tool }));

function messageOf(message: ChatMessage) {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant":
      return {
        role: "assistant",
        content: message.content,
        ...(message.reasoning !== undefined && { reasoning_content: message.reasoning }),
        ...(message.toolCalls.length > 0 && { tool_calls: message.toolCalls.map(callOf) }),
      };
    default:
      return message satisfies never;
  }
}

function callOf({ id, name, arguments: given }: ToolCall) {
  return { id, type: "function", function: { name, arguments: given } };
}
