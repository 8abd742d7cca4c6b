import type { SessionRecord } from "@microremed/contracts";
import { askTurn, askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { watchExperiment } from "./watch-experiment.ts";

/** What a heartbeat has reached. */
export interface Heartbeat {
  /** Turns of the session that are under way and know of it now. */
  readonly turns: number;
  /** Turns that no remediator has answered for: one has died, and another one goes on. */
  readonly unreached: number;
}

interface Beating {
  readonly sessionId: string;
  readonly tokenId: string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** A sign of life for a session and all turns of its workers; for those that no remediator has it waits as long as `waitMs`. */
export async function heartbeat(
  deps: SessionDeps,
  { sessionId, tokenId, waitMs, signal }: Beating,
): Promise<Heartbeat> {
  const deadline = performance.now() + waitMs;
  const { session, seats } = await findSession(deps, sessionId, tokenId);
  const reached = await Promise.all(
    seats.map(({ episodeId }) => reach(deps, session, episodeId, { deadline, signal })),
  );
  const count = (of: Reached): number => reached.filter((one) => one === of).length;
  return { turns: count("alive"), unreached: count("unreached") };
}

type Reached = "alive" | "no-turn" | "unreached";

async function reach(
  deps: SessionDeps,
  { experimentId, model }: SessionRecord,
  episodeId: string,
  { deadline, signal }: { readonly deadline: number; readonly signal: AbortSignal },
): Promise<Reached> {
  using watch = watchExperiment(deps.hub, experimentId);
  for (;;) {
    const reply = await askTurn(deps, { kind: "alive", episodeId });
    if (reply?.status === "alive") return "alive";
    const [turn] = (await askTurns(deps, { experimentId, model, episodeId })).turns;
    if (turn?.state !== "solving" || turn.turnEnded || turn.isOver) return "no-turn";
    if (performance.now() >= deadline || signal.aborted) return "unreached";
    await watch.change(deadline, signal);
  }
}
