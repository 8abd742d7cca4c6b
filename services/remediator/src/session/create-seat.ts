import type { MessageContext } from "@microremed/bus";
import type { Solution } from "@microremed/catalogue";
import {
  type ChatMessage,
  type SolveCommand,
  type ToolCall,
  type TurnKey,
  type TurnMove,
  type TurnReply,
  type TurnView,
  taskOf,
  type Usage,
} from "@microremed/contracts";
import { type AppError, terminal } from "@microremed/core";
import type { ChatClient, ChatRequest } from "@microremed/llm";
import { secondsIn } from "@microremed/solving";
import { createChanges } from "./changes.ts";
import { type MadeCall, replyOf, type SaidLast, usageOf } from "./exchange-of.ts";
import { createIdleness } from "./idleness.ts";

/** An outside agent's place in one delivery of a turn: it answers where a model would. */
export interface Seat {
  /**
   * Its `complete` waits for the agent's next call. Throws `agent-lost` when the agent leaves or is silent for too long,
   * `arena-given-back` when others wait while it does no work in its arena, and the reason of `stopping`: the turn can wait in
   * another process.
   */
  readonly chat: ChatClient;
  /** What the agent does; answered at once, or when what it waits for is there. */
  move(move: TurnMove): Promise<TurnReply>;
  /** What the agent said that it had used up, in moves that no answer came of: when it left, and in calls that waited. */
  unanswered(): Usage;
  /** The delivery has ended so, which is what all get to know who still wait. */
  end(solution: Pick<Solution, "status"> & { readonly reason?: string; readonly goesOn?: true }): void;
  /** Nothing is known of how it goes on: who waits asks again. */
  leave(): void;
}

export interface SeatOptions extends Pick<MessageContext, "signal" | "stopping"> {
  readonly command: SolveCommand;
  readonly task: {
    /** May something be changed in it? */
    readonly mayAct: boolean;
    /** Does it ask for an answer? */
    readonly answered: boolean;
  };
  /** Wall clock, ms. */
  readonly now: () => number;
  /** Without work in the arena for so long, others are asked after, s. */
  readonly idleSeconds: number;
  /** Whether the arena is to be given back to others; asked again and again while the agent does no work in it. */
  readonly isWanted: (isSilent: boolean) => Promise<boolean>;
}

/** Calls that wait for the one that is under way. */
const mostWaiting = 16;

/** A seat keeps nothing that is not in the conversation or will be asked again: another process can go on with another one. */
export function createSeat(options: SeatOptions): Seat {
  const { command, task, signal, stopping, now } = options;
  const { attempt, attemptNumber = attempt, trial, model, modelSeconds, budgets } = command;
  const turn: TurnKey = { trial, attempt: attemptNumber };
  const changes = createChanges();
  const queue: MadeCall[] = [];
  let request: ChatRequest | undefined;
  let given: ToolCall | undefined;
  let ended: TurnReply | undefined;
  let left: string | undefined;
  let saidLast: SaidLast | undefined;
  let signOfLife = now();
  const idleness = createIdleness({ now, idleSeconds: options.idleSeconds });
  // By hand: what `AbortSignal.any` makes stays known to a signal that lives as long as the process does.
  const over = new AbortController();
  const stop = (): void => over.abort();
  for (const one of [signal, stopping]) one.addEventListener("abort", stop);
  if (signal.aborted || stopping.aborted) stop();

  /** At once it is the one under way, so that the same call again is known as such. */
  const take = (): MadeCall | undefined => {
    const made = queue.shift();
    given = made?.call;
    if (made) idleness.called();
    return made;
  };
  const end = (reply: TurnReply): void => {
    ended = reply;
    changes.announce();
  };
  const complete: ChatClient["complete"] = async (asked) => {
    request = asked;
    given = undefined;
    changes.announce();
    const askedAt = now();
    idleness.asked(asked.messages);
    const budgetMs = (budgets.seconds - secondsIn(asked.messages)) * 1000;
    const silence = (): number => Math.max(signOfLife, askedAt) + modelSeconds * 1000 - now();
    const budget = (): number => askedAt + budgetMs - now();
    for (;;) {
      // A first call that comes meanwhile is made.
      const waits = () => queue.length > 0 && !idleness.hasCalled();
      if (idleness.isCheckDue() && (await options.isWanted(idleness.isSilent(signOfLife))) && !waits())
        throw terminal("arena-given-back", "the agent did no work in the arena while others waited for one");
      const made = await changes.until(
        () => (left === undefined ? take() : null),
        Math.max(1, Math.min(silence(), budget(), idleness.untilCheck())),
        over.signal,
      );
      if (made) return replyOf(made, { model, askedAt, ...(asked.tools && { tools: asked.tools }) });
      for (const { aborted, reason } of [signal, stopping]) if (aborted) throw reason;
      const last = saidLast;
      saidLast = undefined;
      // An answer without a call: the turn asks once more, and ends then.
      if (last) return replyOf(last, { model, askedAt });
      if (left !== undefined) throw terminal("agent-lost", left);
      if (silence() <= 0) throw lost(`for ${modelSeconds} s`);
      if (budget() <= 0) throw lost(`before the ${budgets.seconds} s of the episode were over`);
    }
  };

  const view = (): TurnReply | undefined =>
    ended ?? (request && { status: "reading", view: viewOf(command, { turn, task, request }) });
  const call = async ({
    call: { id, tool, arguments: text },
    spent,
    waitMs,
  }: Extract<TurnMove, { kind: "call" }>): Promise<TurnReply> => {
    // Before the turn has come back to its next question, what was called in it is not known here.
    if (!(await changes.until(() => request ?? ended, waitMs))) return { status: "pending" };
    const made: ToolCall = { id, name: tool, arguments: text };
    const open = [...(given ? [given] : []), ...queue.map((one) => one.call)];
    const known = knownAs(made, { request, turn, open });
    if (known === "other") return { status: "conflict" };
    if (!known) {
      if (ended) return ended;
      if (queue.length >= mostWaiting) return { status: "busy" };
      queue.push({ call: made, spent, at: now() });
      changes.announce();
    }
    return (await changes.until(() => answerIn(request, id) ?? ended, waitMs)) ?? { status: "pending" };
  };
  /** The first word counts; that it has left is only said when the turn has ended. */
  const leave = async ({
    reason,
    spent,
    waitMs = 0,
  }: Extract<TurnMove, { kind: "leave" }>): Promise<TurnReply> => {
    if (!ended && left === undefined) {
      left = `the agent left: ${reason || "it gave no reason"}`;
      if (spent) saidLast = { spent, at: now() };
    }
    changes.announce();
    return (await changes.until(() => ended, waitMs)) ?? { status: "pending" };
  };

  return {
    chat: { model, complete },
    move: async (move) => {
      if (move.turn && !isSame(move.turn, turn)) return { status: "other-turn", turn };
      signOfLife = now();
      if (move.kind === "alive") return { status: "alive" };
      if (move.kind === "read") return (await changes.until(view, move.waitMs)) ?? { status: "pending" };
      if (move.kind === "call") return call(move);
      return leave(move);
    },
    unanswered: () => usageOf([...queue, ...(saidLast ? [saidLast] : [])].map(({ spent }) => spent)),
    end: (solution) => end(endOf(solution)),
    leave: () => {
      for (const one of [signal, stopping]) one.removeEventListener("abort", stop);
      end(ended ?? { status: "pending" });
    },
  };
}

const lost = (since: string): AppError => terminal("agent-lost", `the agent made no call ${since}`);

const isSame = (a: TurnKey, b: TurnKey): boolean => a.trial === b.trial && a.attempt === b.attempt;

/**
 * Whether a call is one that was made, or its id that of another one. A call of an attempt before is another one: to answer with it would
 * claim that this one was made.
 */
function knownAs(
  { id, name, arguments: text }: ToolCall,
  {
    request,
    turn,
    open,
  }: {
    readonly request: ChatRequest | undefined;
    readonly turn: TurnKey;
    readonly open: readonly ToolCall[];
  },
): "same" | "other" | undefined {
  const messages = request?.messages ?? [];
  const openedAt = openingOf(messages, turn.attempt);
  if (callsIn(messages.slice(0, Math.max(0, openedAt))).some((one) => one.id === id)) return "other";
  const known = [...callsIn(messages.slice(openedAt + 1)), ...open].find((one) => one.id === id);
  return known && (known.name === name && known.arguments === text ? "same" : "other");
}

const openingOf = (messages: readonly ChatMessage[], attempt: number): number =>
  messages.findLastIndex((one) => one.role === "user" && one.attempt === attempt);

const callsIn = (messages: readonly ChatMessage[]): ToolCall[] =>
  messages.flatMap((message) => (message.role === "assistant" ? message.toolCalls : []));

function answerIn(request: ChatRequest | undefined, id: string): TurnReply | undefined {
  const answer = request?.messages.find((message) => message.role === "tool" && message.toolCallId === id);
  if (answer?.role !== "tool") return undefined;
  const { content: text, milliseconds = null } = answer.refused ? { ...answer, milliseconds: null } : answer;
  return { status: "answered", text, ran: milliseconds !== null, milliseconds };
}

function endOf(solution: Parameters<Seat["end"]>[0]): TurnReply {
  switch (solution.status) {
    case "act":
      if (solution.goesOn) return { status: "acting" };
      return { status: "ended", how: "acted", reason: "the playbook was handed in" };
    case "submit":
    case "done":
      return { status: "ended", how: "submitted", reason: "it was submitted" };
    case "nothing":
      return { status: "ended", how: "over", reason: solution.reason ?? "" };
    default:
      return solution.status satisfies never;
  }
}

function viewOf(
  command: SolveCommand,
  {
    turn,
    task: { mayAct, answered },
    request,
  }: { readonly turn: TurnKey; readonly task: SeatOptions["task"]; readonly request: ChatRequest },
): TurnView {
  const { maxAttempts, firstAttempt = 1, window, feedbackKind = "oracle", maxProbes } = command;
  const { modelSeconds, budgets } = command;
  const { messages, tools = [] } = request;
  const openedAt = openingOf(messages, turn.attempt);
  return {
    turn,
    task: taskOf(command),
    mayAct,
    words: openingAt(messages, openedAt),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: { ...parameters },
    })),
    // Of a watch each window is asked about once.
    maxAttempts: window ? turn.attempt : firstAttempt - 1 + maxAttempts,
    ...((answered || feedbackKind !== "oracle") && { submitIsFinal: true }),
    ...{ maxProbes, budgets, silenceSeconds: modelSeconds },
    calls: messages.slice(openedAt + 1).filter(({ role }) => role === "assistant").length,
  };
}

const openingAt = (messages: readonly ChatMessage[], at: number): string => messages[at]?.content ?? "";
