import type { SessionRecord } from "@microremed/contracts";
import { askTurn, askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import type { SessionDeps } from "./session-deps.ts";

/** A session as its holder may see it; nothing in it says which episodes its problems are. */
export async function showSession(deps: SessionDeps, id: string, tokenId: string | undefined) {
  const { session, seats } = await findSession(deps, id, tokenId);
  const { experimentId, model } = session;
  const { experiment, episodes, done } = await askTurns(deps, { experimentId, model });
  return {
    ...shown(session),
    ...{ status: experiment, episodes, done },
    workers: seats.map(({ worker, problem, turn }) => ({ worker, problem, attempt: turn?.attempt ?? null })),
  };
}

/** Without what is the gateway's. */
export function shown({ id, agent, experimentId, openedAt, silenceSeconds }: SessionRecord) {
  return { id, agent, experiment: experimentId, openedAt, silenceSeconds };
}

/** A sign of life for a session and all turns of its workers; how many of these are under way. */
export async function heartbeat(deps: SessionDeps, id: string, tokenId: string | undefined): Promise<number> {
  const { seats } = await findSession(deps, id, tokenId);
  const replies = await Promise.all(
    seats.map(({ episodeId }) => askTurn(deps, { kind: "alive", episodeId })),
  );
  return replies.filter((reply) => reply?.status === "alive").length;
}
