import { addUsage, type ChatMessage, noUsage, type Usage } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { estimateTokens } from "@microremed/llm/estimate-tokens";
import type { TurnContext } from "./method.ts";
import { maxPlaybookLength } from "./tools.ts";

/** Most characters of an answer's text that are kept: eight for each of 8192 tokens. */
const maxContent = 65_536;
/** Most characters of a call's arguments that are kept: the longest playbook, with every character escaped. */
export const maxArguments = 2 * maxPlaybookLength;

/** One turn over the stored conversation: what is said is stored first and remembered then. */
export interface Turn {
  /** What was said in this turn, its opening included. */
  said(): readonly ChatMessage[];
  say(...messages: ChatMessage[]): Promise<void>;
  /** One model call; the answer is stored together with what it cost. */
  ask(tools: readonly ToolSpec[]): Promise<void>;
  usage(): Usage;
}

/**
 * Begins a turn with `opening`, or takes it up where an earlier delivery left it: a turn whose opening is already in
 * the conversation goes on from there. The last message of an opening must differ between the turns of an episode.
 */
export async function openTurn(context: TurnContext, opening: readonly ChatMessage[]): Promise<Turn> {
  const { chat, append, signal } = context;
  const conversation = [...context.conversation];
  const openedAt = conversation.findLastIndex((message) => same(message, opening.at(-1)));
  const start = openedAt < 0 ? conversation.length : openedAt + 1 - opening.length;

  const said = () => conversation.slice(start);
  const say = async (...messages: ChatMessage[]): Promise<void> => {
    await append(messages);
    conversation.push(...messages);
  };
  if (openedAt < 0) await say(...opening);

  const ask = async (tools: readonly ToolSpec[]): Promise<void> => {
    const reply = await chat.complete({ messages: conversation, tools, signal });
    await say({
      role: "assistant",
      content: clipMiddle(reply.content, maxContent),
      toolCalls: reply.toolCalls.map((call) => ({
        ...call,
        arguments: clipMiddle(call.arguments, maxArguments),
      })),
      ...(reply.reasoning !== undefined && { reasoning: clipMiddle(reply.reasoning, maxContent) }),
      usage: reply.usage,
      exchange: reply.exchange,
    });
  };
  return { said, say, ask, usage: () => usageOf(said()) };
}

function same(a: ChatMessage, b: ChatMessage | undefined): boolean {
  return a.role === b?.role && a.content === b.content;
}

function usageOf(messages: readonly ChatMessage[]): Usage {
  const answers = messages.filter((message) => message.role === "assistant");
  const calls = answers.map(({ usage }) => ({ ...noUsage, ...usage, calls: 1 }));
  return { ...calls.reduce(addUsage, noUsage), estimatedTokens: estimateTokens(messages) };
}
