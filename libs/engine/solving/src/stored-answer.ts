import { type ChatMessage, maxPlaybookLength, type ToolCall } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import type { ChatReply } from "@microremed/llm";

/** Characters of what is kept of an answer: of its words eight for each of 8192 tokens. */
const most = { words: 65_536, name: 100, id: 500, extra: 262_144, note: 200 };
/** Calls of one answer that are kept. */
const mostCalls = 100;
/** Most characters of the arguments of all calls together that are kept: the longest playbook, with every character escaped. */
const maxArguments = 2 * maxPlaybookLength;

/** An answer of a model as it is stored, with what it cost. What is left out of it, it says. */
export function storedAnswer({
  content,
  toolCalls,
  reasoning,
  usage,
  exchange,
}: ChatReply): Extract<ChatMessage, { role: "assistant" }> {
  const leftOut = toolCalls.length - mostCalls;
  const note = leftOut > 0 ? `\n[${leftOut} of its ${toolCalls.length} tool calls were left out]` : "";
  return {
    role: "assistant",
    content: clipMiddle(content, most.words) + note,
    toolCalls: boundedCalls(toolCalls.slice(0, mostCalls)),
    ...(reasoning !== undefined && { reasoning: clipMiddle(reasoning, most.words) }),
    usage,
    exchange: { ...exchange, finishReason: exchange.finishReason.slice(0, most.note) },
  };
}

function boundedCalls(calls: readonly ToolCall[]): ToolCall[] {
  let left = maxArguments;
  return calls.map(({ id, name, arguments: text, extra }) => {
    const kept = clipMiddle(text, left);
    left = Math.max(0, left - kept.length);
    const isKept = extra !== undefined && JSON.stringify(extra).length <= most.extra;
    return {
      id: id.slice(0, most.id),
      name: name.slice(0, most.name),
      arguments: kept,
      ...(isKept && { extra }),
    };
  });
}
