import { randomUUID } from "node:crypto";
import type { Spent } from "@microremed/contracts";
import type { CountedCalls, Fate } from "./counted-calls.ts";
import type { ModelProxy } from "./model-proxy.ts";
import type { CallEnd, SessionClient, ToolCalled, Turn } from "./session-client.ts";

/** What is behind the door. */
export interface DoorOptions {
  readonly session: SessionClient;
  readonly worker: string;
  readonly turn: Turn;
  /** Undefined: the program may call no model. */
  readonly model: ModelProxy | undefined;
  readonly signal: AbortSignal;
}

/** Bytes of a request to the session. */
export const mostBytes = 2 ** 20;
/** As long as a call of a tool may take, ms. */
export const callMs = 400_000;

export type Counted = Pick<CountedCalls, "settle" | "make"> & Partial<CountedCalls>;

/** How far the turn is. */
export interface State {
  readonly over: AbortController;
  readonly signal: AbortSignal;
  /** What is passed on goes one after the other: nothing is under way when the turn ends. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly counted: Counted;
  answer: unknown;
  answerProblem: string | undefined;
  calls: number;
  prefix: string;
}

/** Why, if the gateway has said it. */
export function overText({ over: { signal } }: Pick<State, "over">): string {
  const why = typeof signal.reason === "string" ? `: ${signal.reason}` : "";
  return `The turn is over${why}. There is nothing more to do.`;
}

/** Says in the saved episode which problem of the session it is, and so which log. */
export const newCallId = ({ problem }: Turn): string => `${problem}-${randomUUID()}`;

/** Whether the range has taken a call, and so what it said was spent. */
export function fateOf(result: CallEnd): Fate {
  if (result.status === "refused") return "refused";
  return result.status === "ended" && result.how === "over" ? "refused" : "taken";
}

/** Calls a tool of the turn's own problem, unless the turn is over. */
export function callTool(
  session: SessionClient,
  turn: Turn,
  state: State,
  {
    tool,
    args,
    said,
  }: { readonly tool: string; readonly args: Readonly<Record<string, unknown>>; readonly said?: Spent },
): Promise<CallEnd> {
  return state.inTurn(async () => {
    await state.counted.settle();
    if (state.over.signal.aborted) return { status: "ended", how: "over", reason: overText(state) };
    state.calls++;
    const asked = { id: newCallId(turn), tool, arguments: args, spent: said };
    const send = (made: ToolCalled): Promise<CallEnd> => session.call(turn, made, state.signal);
    const result = await state.counted.make(asked, send, fateOf);
    if (result.status === "ended") state.over.abort(result.reason);
    return result;
  });
}

/** Runs one work after the other. */
export function oneByOne(): State["inTurn"] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}
