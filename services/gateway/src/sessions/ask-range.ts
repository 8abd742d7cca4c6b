import { subjects, type TurnMove, TurnReply, Turns, type TurnsQuery } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import type { SessionDeps } from "./session-deps.ts";

const rpcMs = 10_000;

/** How far the episodes of a session are. Throws `unknown-experiment`. */
export async function askTurns(
  { bus }: Pick<SessionDeps, "bus">,
  query: TurnsQuery,
): Promise<Extract<Turns, { status: "ok" }>> {
  const reply = await bus.request(subjects.turnsQuery, query, { schema: Turns, timeoutMs: rpcMs });
  if (reply.status === "error") throw new AppError(reply.error.code, reply.error.message);
  return reply;
}

/** What came of a move; undefined: no remediator has a turn of the episode at this moment. */
export async function askTurn(
  { bus }: Pick<SessionDeps, "bus">,
  move: TurnMove,
): Promise<TurnReply | undefined> {
  const timeoutMs = ("waitMs" in move ? (move.waitMs ?? 0) : 0) + rpcMs;
  try {
    return await bus.request(subjects.turn(move.episodeId), move, { schema: TurnReply, timeoutMs });
  } catch (thrown) {
    // Between two stages of the episode; or its remediator has died, and another one goes on.
    if (AppError.from(thrown).code === "bus-unreachable") return undefined;
    throw thrown;
  }
}
