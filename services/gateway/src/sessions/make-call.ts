import type {
  EpisodeTurn,
  Seat,
  SessionCall,
  SessionRecord,
  Spent,
  TurnEnd,
  TurnKey,
  TurnReply,
} from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";
import { askTurn, askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { turnName } from "./turn-name.ts";
import { watchExperiment } from "./watch-experiment.ts";

/** A call in a problem of a session. */
export interface AskedCall {
  readonly sessionId: string;
  readonly problem: string;
  readonly tokenId: string | undefined;
  readonly call: SessionCall;
  readonly spent: Spent | undefined;
  /** Name of the only turn that is meant; undefined: the one that was handed out last. */
  readonly meant?: string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** What came of a call. */
export type CallResult = Extract<TurnReply, { status: "answered" | "ended" | "pending" }>;

/** How long a remediator is asked at a time, ms: it may die meanwhile, and another one goes on. */
const askMs = 20_000;

/**
 * Makes a call, or finds out what came of it: the same call with the same id is made once, whatever dies. Throws `turn-over` when
 * the session does not have the problem or its turn is another one by now, `conflict` when the id is another call's, or one of
 * an attempt before.
 */
export async function makeCall(deps: SessionDeps, asked: AskedCall): Promise<CallResult> {
  const { call, spent, waitMs, signal } = asked;
  const deadline = performance.now() + waitMs;
  const { session, seats, ended } = await findSession(deps, asked.sessionId, asked.tokenId);
  const seat = seats.find(({ problem }) => problem === asked.problem);
  if (!seat) throw over(ended.find(({ problem }) => problem === asked.problem)?.reason);
  const { episodeId } = seat;
  const turn = meantTurn(seat, asked.meant);
  if (turn === null)
    throw terminal("turn-over", "the problem has not begun; ask for the next one until its words are there");
  using watch = watchExperiment(deps.hub, session.experimentId);
  for (;;) {
    // The bus takes whole milliseconds.
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const move = {
      kind: "call",
      episodeId,
      turn,
      call,
      waitMs: Math.min(askMs, left),
      ...(spent && { spent }),
    } as const;
    const reply = await askTurn(deps, move);
    const result = reply && resultOf(reply);
    if (result) return result;
    if (!reply || reply.status === "acting") {
      const end = await endedTurn(deps, session, { ...seat, turn });
      if (end) return end;
    }
    if (performance.now() >= deadline || signal.aborted) return { status: "pending" };
    await watch.change(deadline, signal);
  }
}

/** The turn of a problem that was handed out last; null: none was. Throws `turn-over` when another one is meant. */
export function meantTurn({ turn }: Seat, meant: string | undefined): TurnKey | null {
  if (meant === undefined || (turn !== null && turnName(turn) === meant)) return turn;
  throw over();
}

/** Undefined: it is to be asked again. */
function resultOf(reply: TurnReply): CallResult | undefined {
  switch (reply.status) {
    case "answered":
    case "ended":
      return reply;
    case "other-turn":
      throw over();
    case "conflict":
      throw terminal(
        "conflict",
        "the id is that of another call, of this attempt or one before; every call needs an id of its own",
      );
    case "busy":
      throw new AppError("too-many-requests", "too many calls of this problem wait for an answer", {
        severity: "retryable",
        retryAfterMs: 1_000,
      });
    case "pending":
    case "acting":
    case "reading":
    case "alive":
      return undefined;
    default:
      return reply satisfies never;
  }
}

/** How a turn ended that no remediator has any more; undefined: it goes on. */
async function endedTurn(
  deps: SessionDeps,
  { experimentId, model }: SessionRecord,
  { episodeId, turn }: Seat,
): Promise<CallResult | undefined> {
  const { turns } = await askTurns(deps, { experimentId, model, episodeId });
  const [now] = turns;
  if (!now || now.trial !== turn?.trial || now.attempt !== turn.attempt) throw over();
  if (!now.turnEnded && !now.isOver) return undefined;
  return { status: "ended", ...endIn(now) };
}

/** How a turn ended, of which the scheduler says that it has. */
export function endIn({ end, isOver }: EpisodeTurn): TurnEnd {
  // A scheduler of before does not say it.
  return end ?? { how: "over", reason: isOver ? "the problem is over" : "the turn has ended" };
}

/** What is asked of a turn that is another one by now; `why` its problem is over, where that is known. */
export function over(why?: string): AppError {
  const because = why === undefined ? "" : `: ${why}`;
  return terminal("turn-over", `this turn is over${because}; ask for the next problem`);
}
