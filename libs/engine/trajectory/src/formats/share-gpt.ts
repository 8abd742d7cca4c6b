import { type ChatMessage, type EpisodeDocument, sentOf, type ToolCall } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import { type KnownTools, offeredTools } from "../offered-tools.ts";
import { rewardsOf } from "../rewards.ts";
import { defineFormat, jsonLines } from "./format.ts";
import { labelsOf } from "./labels.ts";

/** ShareGPT's turns with the roles that trainers use for tools: `function_call` and `observation`. */
export const shareGpt = defineFormat({
  name: "sharegpt",
  description: "one line per episode: ShareGPT conversations with function calls and observations",
  extension: "jsonl",
  write: (episodes, tools) => jsonLines(episodes.map((episode) => line(episode, tools))),
});

function line(document: EpisodeDocument, known: KnownTools) {
  const conversation = sentOf(document.conversation);
  const system = conversation.find(({ role }) => role === "system")?.content;
  return {
    conversations: shareGptTurns(conversation),
    ...(system !== undefined && { system }),
    tools: JSON.stringify(offeredTools(conversation, known)),
    rewards: rewardsOf(document),
    metadata: labelsOf(document),
  };
}

/** Turns of a conversation; a system message is none of them. */
export const shareGptTurns = (conversation: readonly ChatMessage[]) =>
  conversation.filter(({ role }) => role !== "system").flatMap(turnsOf);

function turnsOf(message: ChatMessage) {
  switch (message.role) {
    case "system":
    case "user":
      return [{ from: "human", value: message.content }];
    case "tool":
      return [{ from: "observation", value: message.content }];
    case "assistant":
      return [
        ...(message.content !== "" || message.toolCalls.length === 0
          ? [{ from: "gpt", value: message.content }]
          : []),
        ...message.toolCalls.map((call) => ({ from: "function_call", value: callOf(call) })),
      ];
    default:
      return message satisfies never;
  }
}

function callOf({ name, arguments: given }: ToolCall): string {
  return JSON.stringify({ name, arguments: objectIn(given) });
}

/** The arguments as an object, or as the model wrote them when they are none. */
function objectIn(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
