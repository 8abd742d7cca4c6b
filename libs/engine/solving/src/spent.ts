import type { BudgetName, Budgets, ChatMessage } from "@microremed/contracts";
import { endNamed, type Offer } from "./offer.ts";
import type { Answer } from "./progress.ts";

/** What an episode has used up so far, read from its conversation, so that every replica reads the same. */
export interface Spent {
  readonly probeRounds: number;
  readonly toolCalls: number;
  readonly tokens: number;
  readonly seconds: number;
  readonly cost: number;
  /** Of everything said. */
  readonly characters: number;
  /** Answers that call tools although all tool calls were used up before. */
  readonly answersBeyond: number;
}

/** A budget that has run out, and the same in words. */
export interface RanOut {
  readonly exhausted: BudgetName;
  readonly reason: string;
}

/** Answers with tool calls that are refused before the episode ends: in one of them the end may be. */
const spareAnswers = 2;
/** Most characters of an episode's conversation. */
const mostSaid = 8 * 2 ** 20;

export function spentIn(conversation: readonly ChatMessage[], budgets: Budgets, offer: Offer): Spent {
  const answers = conversation.filter((message) => message.role === "assistant");
  const sum = (of: (answer: Answer) => number): number =>
    answers.reduce((total, answer) => total + of(answer), 0);
  let toolCalls = 0;
  let answersBeyond = 0;
  for (const answer of answers) {
    if (toolCalls >= budgets.toolCalls && answer.toolCalls.length > 0) answersBeyond++;
    toolCalls += answer.toolCalls.length;
  }
  return {
    probeRounds: answers.filter((answer) => observes(answer, offer)).length,
    toolCalls,
    tokens: sum(({ usage }) => (usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0)),
    seconds: secondsIn(conversation),
    cost: sum(({ usage }) => usage?.cost ?? 0),
    characters: conversation.reduce((total, message) => total + charactersOf(message), 0),
    answersBeyond,
  };
}

/** Wall clock of the model calls and tools in a conversation, s. */
export function secondsIn(conversation: readonly ChatMessage[]): number {
  const each = conversation.map((message) => {
    if (message.role === "tool") return message.milliseconds ?? 0;
    return message.role === "assistant" ? (message.exchange?.milliseconds ?? 0) : 0;
  });
  return each.reduce((sum, ms) => sum + ms, 0) / 1000;
}

function charactersOf(message: ChatMessage): number {
  if (message.role !== "assistant") return message.content.length;
  const { content, reasoning = "", toolCalls } = message;
  const given = toolCalls.reduce((sum, { arguments: text, name }) => sum + text.length + name.length, 0);
  return content.length + reasoning.length + given;
}

function observes(answer: Answer, offer: Offer): boolean {
  return answer.toolCalls.some(({ name }) => endNamed(offer, name) === undefined);
}

/** The budget after which no model call may follow. */
export function ranOut(spent: Spent, budgets: Budgets): RanOut | undefined {
  if (spent.tokens >= budgets.tokens) return out("tokens", `${spent.tokens} of ${budgets.tokens} tokens`);
  if (spent.seconds >= budgets.seconds) {
    return out("seconds", `${Math.round(spent.seconds)} of ${budgets.seconds} s of model calls and tools`);
  }
  if (budgets.cost !== null && spent.cost >= budgets.cost) {
    return out("cost", `$${spent.cost.toFixed(4)} of $${budgets.cost}`);
  }
  if (spent.characters >= mostSaid) {
    return out("context", `${spent.characters} of ${mostSaid} characters of its conversation`);
  }
  if (spent.probeRounds >= budgets.probeRounds + spareAnswers) {
    return out("probeRounds", `all ${budgets.probeRounds} probe rounds`);
  }
  if (spent.answersBeyond >= spareAnswers) {
    return out("toolCalls", `all ${budgets.toolCalls} tool calls`);
  }
  return undefined;
}

function out(exhausted: BudgetName, used: string): RanOut {
  return { exhausted, reason: `the episode's budget is used up: ${used}` };
}

/** What is used up so that the first of the pending calls is not run; undefined: nothing. */
export function noMoreObserving(spent: Spent, pending: number, budgets: Budgets): string | undefined {
  if (spent.probeRounds > budgets.probeRounds)
    return `all ${budgets.probeRounds} probe rounds of this episode`;
  if (spent.toolCalls - pending >= budgets.toolCalls)
    return `all ${budgets.toolCalls} tool calls of this episode`;
  if (spent.seconds >= budgets.seconds) return `all ${budgets.seconds} s of this episode`;
  return undefined;
}
