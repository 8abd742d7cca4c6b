import { type ChatMessage, sentOf } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { ToolSpec } from "@microremed/llm";
import { AgentMistake } from "./agent-mistake.ts";
import { probesIn } from "./progress.ts";
import { type RanOut, ranOut, type Spent, spentIn } from "./spent.ts";
import { storedAnswer } from "./stored-answer.ts";
import { saidIn } from "./talk.ts";
import type { TurnContext } from "./turn-context.ts";
import { TurnOver } from "./turn-over.ts";

/** One turn, or a conversation beside it, over what is stored. */
export interface Turn {
  /** What was said in this turn's own conversation, its opening included. */
  said(): readonly ChatMessage[];
  say(...messages: ChatMessage[]): Promise<void>;
  /**
   * One model call; the answer is stored together with what it cost. When a budget of the episode, or the model's
   * context, has run out, no model is called and the exhausted limit is returned.
   */
  ask(tools: readonly ToolSpec[]): Promise<RanOut | undefined>;
  /** By the whole episode. */
  spent(): Spent;
  /** Calls of observing tools that were run in this attempt, in all conversations. */
  probes(): number;
}

/**
 * Begins a turn with `opening`, or takes it up where an earlier delivery left it: a turn whose opening is already in
 * the conversation, marked with its attempt, goes on from there. Throws AgentMistake when a later attempt opens as the
 * first one did.
 */
export async function openTurn(
  context: TurnContext,
  opening: readonly ChatMessage[],
  thread?: string,
): Promise<Turn> {
  const { attempt, chat, talk, signal, budgets, offer } = context;
  const before = talk.of(thread);
  const openedAt = before.findLastIndex((message) => opens(message, opening.at(-1), attempt));
  if (openedAt < 0) refuseRepetition(before, opening, attempt);
  const start = openedAt < 0 ? before.length : openedAt + 1 - opening.length;

  const said = () => talk.of(thread).slice(start);
  const say = (...messages: ChatMessage[]): Promise<void> => talk.say(thread, messages);
  if (openedAt < 0) await say(...marked(opening, attempt));

  const spent = () => spentIn(talk.all(), budgets, offer);
  const ask = async (tools: readonly ToolSpec[]): Promise<RanOut | undefined> => {
    const over = ranOut(spent(), budgets);
    if (over) return over;
    const reply = await chat
      .complete({ messages: sentOf(talk.all(), thread), tools, signal })
      .catch((thrown) => ranOutBy(thrown, talk.all()));
    if ("exhausted" in reply) return reply;
    await say(storedAnswer(reply));
    return undefined;
  };
  return { said, say, ask, spent, probes: () => probesIn(saidIn(talk, attempt)) };
}

/**
 * What is the agent's or its model's doing, though the endpoint says it in an error: a conversation that has become too long, an answer
 * that is too large, an outside agent that leaves, and a refusal after the endpoint has answered requests of the same form.
 * Otherwise a model could decline what it doesn't like. All else is thrown.
 */
function ranOutBy(thrown: unknown, said: readonly ChatMessage[]): RanOut {
  const { code, message, details } = AppError.from(thrown);
  if (code === "model-answer-too-large") throw new TurnOver({ status: "nothing", reason: message });
  if (code === "model-refused" && concernsContent(details["status"]) && hasAnswered(said))
    throw new TurnOver({ status: "nothing", reason: `the model's endpoint refused to go on: ${message}` });
  if (code === "agent-lost") return { exhausted: "agent", reason: message };
  if (code !== "model-context-exceeded") throw thrown;
  return { exhausted: "context", reason: `the model's context is used up: ${message}` };
}

/** A key, an account or a model that is not there (401 to 404) concerns every request; other refusals concern this one. */
const concernsContent = (status: unknown): boolean => ![401, 402, 403, 404].some((one) => one === status);

/** Its endpoint takes requests of this form: what it refuses now is what was said since. */
const hasAnswered = (said: readonly ChatMessage[]): boolean =>
  said.some((message) => message.role === "assistant" && message.exchange !== undefined);

/** The opening as it is stored: its last message says which attempt it begins. */
function marked(opening: readonly ChatMessage[], attempt: number): ChatMessage[] {
  return opening.map((message, index) =>
    message.role === "user" && index === opening.length - 1 ? { ...message, attempt } : message,
  );
}

/** Whether a stored message ends the opening of this attempt; without a mark (older records) its words decide. */
function opens(message: ChatMessage, last: ChatMessage | undefined, attempt: number): boolean {
  const mark = message.role === "user" ? message.attempt : undefined;
  return mark === undefined ? same(message, last) : mark === attempt;
}

function refuseRepetition(
  conversation: readonly ChatMessage[],
  opening: readonly ChatMessage[],
  attempt: number,
): void {
  const first = conversation.find((message) => message.role === "user" && message.attempt === 1);
  if (!first || !same(first, opening.at(-1))) return;
  throw new AgentMistake(
    `the agent opens attempt ${attempt} with the words of attempt 1; expected what came of the attempt before: make the opening from lastAttempt where it is not null`,
  );
}

function same(a: ChatMessage, b: ChatMessage | undefined): boolean {
  return a.role === b?.role && a.content === b.content;
}
