import type { Spent } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { askTurn, askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import { type CallResult, endIn, meantTurn, over } from "./make-call.ts";
import type { SessionDeps } from "./session-deps.ts";
import { watchExperiment } from "./watch-experiment.ts";

/** A problem that is to be given up. */
interface Leaving {
  readonly sessionId: string;
  readonly problem: string;
  readonly tokenId: string | undefined;
  readonly reason: string;
  /** What the agent has used up since the last answer. */
  readonly spent: Spent | undefined;
  /** Name of the only turn that is meant; undefined: whichever it is. */
  readonly meant: string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** How the turn ended; `pending`: no remediator has got it yet, or the turn goes on still. */
export type LeaveResult = Exclude<CallResult, { status: "answered" }>;

/** How long a remediator is asked at a time, ms: it may die meanwhile. */
const askMs = 5_000;

/**
 * Gives a problem up, and waits as long as `waitMs` until the scheduler knows that the turn has ended: what only a remediator knows dies
 * with it. Done twice it is the same. Throws `turn-over` when the session does not have the problem, or it has to start again.
 */
export async function leaveProblem(deps: SessionDeps, leaving: Leaving): Promise<LeaveResult> {
  const { problem, reason, spent, waitMs, signal } = leaving;
  const deadline = performance.now() + waitMs;
  const { session, seats, ended } = await findSession(deps, leaving.sessionId, leaving.tokenId);
  const seat = seats.find((one) => one.problem === problem);
  if (!seat) {
    const why = ended.find((one) => one.problem === problem)?.reason;
    throw why === undefined ? terminal("turn-over", "the session does not have this problem") : over(why);
  }
  const { episodeId } = seat;
  const meant = leaving.meant === undefined ? undefined : meantTurn(seat, leaving.meant);
  const { experimentId, model } = session;
  let ending: LeaveResult | undefined;
  using watch = watchExperiment(deps.hub, experimentId);
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - performance.now()));
    const move = { kind: "leave", episodeId, reason, waitMs: Math.min(askMs, left) } as const;
    const reply = await askTurn(deps, { ...move, ...(spent && { spent }), ...(meant && { turn: meant }) });
    if (reply?.status === "other-turn") throw over();
    const [turn] = (await askTurns(deps, { experimentId, model, episodeId })).turns;
    if (!turn) throw over();
    if (reply?.status === "ended") ending = reply;
    if (turn.isOver || (turn.turnEnded && (ending || meant)))
      return ending ?? { status: "ended", ...endIn(turn) };
    if (performance.now() >= deadline || signal.aborted) return { status: "pending" };
    await watch.change(deadline, signal);
  }
}
