import type { ChatMessage } from "@microremed/contracts";
import { parseJson } from "@microremed/core";
import type { Block, Chapter } from "../story.types.ts";

/** What was said in the turn of one attempt, which `place` names: prompts, answers, tool calls and observations. */
export function conversationChapter(place: string, messages: readonly ChatMessage[]): Chapter {
  return { title: `${place}: conversation`, blocks: messages.flatMap(blocksOf) };
}

/** Said in a conversation beside the main one. */
const aside = ({ thread }: ChatMessage): string => (thread === undefined ? "" : ` (${thread})`);

const captions = { system: "system prompt", user: "prompt" } as const;

function blocksOf(message: ChatMessage): Block[] {
  switch (message.role) {
    case "system":
    case "user":
      return [{ kind: "text", caption: `${captions[message.role]}${aside(message)}`, text: message.content }];
    case "tool": {
      const took = message.milliseconds === undefined ? "" : `, after ${message.milliseconds} ms`;
      return [
        {
          kind: "code",
          caption: `observation for ${message.toolCallId}${took}${aside(message)}`,
          text: message.content,
        },
      ];
    }
    case "assistant":
      return answerBlocks(message);
    default:
      return message satisfies never;
  }
}

function answerBlocks(message: Extract<ChatMessage, { role: "assistant" }>): Block[] {
  const { content, reasoning, toolCalls } = message;
  const caption = `answer${costOf(message)}${aside(message)}`;
  const blocks: Block[] = [
    ...(reasoning === undefined
      ? []
      : [{ kind: "text" as const, caption: "what the model thought", text: reasoning }]),
    ...(content === "" ? [] : [{ kind: "text" as const, caption, text: content }]),
    ...toolCalls.map((call, i) => ({
      kind: "code" as const,
      caption: `${content === "" && i === 0 ? `${caption}, ` : ""}call ${call.id} of ${call.name}`,
      text: readable(call.arguments),
    })),
  ];
  return blocks.length > 0 ? blocks : [{ kind: "text", caption, text: "(empty)" }];
}

function costOf({ usage, exchange }: Extract<ChatMessage, { role: "assistant" }>): string {
  const tokens = usage ? `, ${usage.promptTokens} + ${usage.completionTokens} tokens` : "";
  const time = exchange ? ` in ${exchange.milliseconds} ms` : "";
  const again =
    exchange && exchange.failedTries.length > 0 ? ` after ${exchange.failedTries.length} failed tries` : "";
  return `${tokens}${time}${again}`;
}

/** The arguments of a call with their line breaks, which JSON hides: one string's own text, or indented JSON. */
function readable(text: string): string {
  const value = parseJson(text);
  if (value === undefined) return text;
  const values = typeof value === "object" && value !== null ? Object.values(value) : [];
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(value, null, 2);
}
