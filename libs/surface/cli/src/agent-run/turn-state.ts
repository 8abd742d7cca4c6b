import type { SessionClient, Turn, TurnName } from "./session-client.ts";

/** How long a turn may take to come back from an action, s. */
const comesBackSeconds = 10;

/** After a lost arena the same attempt is asked again, which is another turn. */
export const isSame = (a: TurnName, b: TurnName): boolean => a.problem === b.problem && a.turn === b.turn;

/** Whether a turn goes on, after a call that may have ended it, or an action that may be under way. */
async function isStillIn(
  session: Pick<SessionClient, "next">,
  worker: string,
  turn: Turn,
  signal: AbortSignal,
  waitSeconds = 0,
): Promise<boolean> {
  const next = await session.next(worker, waitSeconds, signal);
  return next.status === "problem" && isSame(next, turn);
}

/** Whether a program that has ended has left its turn open. */
export function isLeftOpen(
  session: Pick<SessionClient, "next">,
  worker: string,
  turn: Turn,
  signal: AbortSignal,
): Promise<boolean> {
  return isStillIn(session, worker, turn, signal, comesBackSeconds);
}

/** Whether a turn is known to be over: the worker is in another one, or no problem is left. */
export async function isOver(
  session: Pick<SessionClient, "next">,
  worker: string,
  turn: Turn,
  signal: AbortSignal,
): Promise<boolean> {
  const next = await session.next(worker, 0, signal);
  return next.status === "done" || (next.status === "problem" && !isSame(next, turn));
}
