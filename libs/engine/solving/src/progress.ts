import type { ChatMessage, ToolCall } from "@microremed/contracts";
import { calledIn, type HandedIn } from "./handed-in.ts";
import type { Offer } from "./offer.ts";

export type Answer = Extract<ChatMessage, { role: "assistant" }>;

/** How far a turn is, read from what was said in it. */
export interface Progress {
  /** Model calls made. */
  readonly calls: number;
  /** Answers without any tool call. */
  readonly silences: number;
  /** Tool calls of the last answer that no tool message answers yet, in order. */
  readonly pending: readonly ToolCall[];
  /** What the last answer hands in by a valid call. */
  readonly handedIn: HandedIn | undefined;
  readonly lastAnswer: Answer | undefined;
  /** What was said last. */
  readonly last: ChatMessage | undefined;
}

/** Pure: the same messages always give the same progress, which is what makes a turn resumable. */
export function readProgress(said: readonly ChatMessage[], offer: Offer): Progress {
  const answers = said.filter((message) => message.role === "assistant");
  const lastAnswer = answers.at(-1);
  return {
    calls: answers.length,
    silences: answers.filter((answer) => answer.toolCalls.length === 0).length,
    pending: lastAnswer ? pendingCalls(lastAnswer, said.slice(said.lastIndexOf(lastAnswer))) : [],
    handedIn: lastAnswer && calledIn(lastAnswer, offer),
    lastAnswer,
    last: said.at(-1),
  };
}

/** Calls of observing tools that were run. */
export function probesIn(said: readonly ChatMessage[]): number {
  return said.filter((message) => message.role === "tool" && message.milliseconds !== undefined).length;
}

function pendingCalls(answer: Answer, since: readonly ChatMessage[]): ToolCall[] {
  const answered = new Set(since.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])));
  return answer.toolCalls.filter((call) => !answered.has(call.id));
}
