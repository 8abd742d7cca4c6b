import type { EndedProblem, Seat, SessionRecord } from "@microremed/contracts";
import { AppError } from "@microremed/core";
import { askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import { endIn } from "./make-call.ts";
import type { SessionDeps } from "./session-deps.ts";

/** A session as its holder may see it; nothing in it says which episodes its problems are. */
export async function showSession(deps: SessionDeps, id: string, tokenId: string | undefined) {
  const { session, seats, ended } = await findSession(deps, id, tokenId);
  const { experiment, episodes, done } = await progressOf(deps, session);
  return {
    ...shown(session),
    ...{ status: experiment, episodes, done },
    workers: [
      ...(await Promise.all(seats.map((seat) => workerAt(deps, session, seat)))),
      // Who has no problem any more has had one.
      ...ended.filter(({ worker }) => !seats.some((seat) => seat.worker === worker)).map(workerAfter),
    ],
  };
}

/** What a worker has, and what became of it since it was asked for. */
async function workerAt(
  deps: SessionDeps,
  { experimentId, model }: SessionRecord,
  { worker, problem, episodeId, turn }: Seat,
) {
  const { turns } = await askTurns(deps, { experimentId, model, episodeId });
  const [now] = turns;
  const isOther = now !== undefined && (now.trial !== turn?.trial || now.attempt !== turn.attempt);
  return {
    ...{ worker, problem, attempt: turn?.attempt ?? null },
    over: now?.isOver ?? true,
    again: isOther && !now.isOver,
    outcome: now?.outcome ?? null,
    ...(now?.isOver && { reason: endIn(now).reason }),
  };
}

function workerAfter({ worker, problem, outcome, reason }: EndedProblem) {
  return { worker, problem, attempt: null, over: true, again: false, outcome, reason };
}

/** No episodes: the experiment starts when the agent first asks for a problem. */
async function progressOf(deps: SessionDeps, { experimentId, model, wanted }: SessionRecord) {
  try {
    return await askTurns(deps, { experimentId, model });
  } catch (thrown) {
    if (!wanted || AppError.from(thrown).code !== "unknown-experiment") throw thrown;
    return { experiment: "running", episodes: 0, done: 0 } as const;
  }
}

/** Without what is the gateway's. */
export function shown({ id, agent, experimentId, openedAt, silenceSeconds }: SessionRecord) {
  return { id, agent, experiment: experimentId, openedAt, silenceSeconds };
}
