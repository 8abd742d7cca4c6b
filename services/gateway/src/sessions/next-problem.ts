import type {
  EndedProblem,
  EpisodeTurn,
  Outcome,
  Seat,
  SessionRecord,
  TurnView,
} from "@microremed/contracts";
import { askTurn, askTurns } from "./ask-range.ts";
import { findSession } from "./find-session.ts";
import { endIn } from "./make-call.ts";
import { randomName } from "./open-session.ts";
import type { SessionDeps } from "./session-deps.ts";
import { startedTurns } from "./start-experiment.ts";
import { turnName } from "./turn-name.ts";
import { watchExperiment } from "./watch-experiment.ts";

/** The problem that a worker had before, and what the request lets it know of it. */
export interface Previous {
  readonly problem: string;
  readonly outcome: Outcome | null;
  /** Why it is over; absent: not known. */
  readonly reason?: string | undefined;
}

/** What a worker is to do next. */
export type Next = { readonly previous?: Previous } & (
  | { readonly status: "problem"; readonly problem: string; readonly view: TurnView }
  | { readonly status: "waiting" }
  | { readonly status: "done"; readonly episodes: number; readonly done: number }
);

interface Asked {
  readonly sessionId: string;
  readonly worker: string;
  readonly tokenId: string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** How long a remediator is asked at a time, ms: it may stop meanwhile. */
const readMs = 5_000;

/**
 * The turn that a worker is in, else the next one of its problem, else another problem; it waits for one as long as `waitMs`.
 * Asked again it says the same, also at another gateway: what came of the problem before is said until the worker has called a tool
 * in the next one.
 */
export async function nextProblem(
  deps: SessionDeps,
  { sessionId, worker, tokenId, waitMs, signal }: Asked,
): Promise<Next> {
  const deadline = performance.now() + waitMs;
  const { session } = await findSession(deps, sessionId, tokenId);
  using watch = watchExperiment(deps.hub, session.experimentId);
  for (;;) {
    const { seats, ended } = await findSession(deps, sessionId, tokenId);
    const seat = seats.find((one) => one.worker === worker);
    const saying = (next: Next): Next =>
      withPrevious(
        next,
        seat,
        ended.find((one) => one.worker === worker),
      );
    if (!seat) {
      const taken = await takeEpisode(deps, session, worker);
      if (typeof taken === "object") return saying(taken);
      if (taken === "taken") continue;
    } else {
      const step = await stepOf(
        deps,
        session,
        seat,
        Math.max(0, Math.min(readMs, deadline - performance.now())),
      );
      if ("over" in step) {
        await deps.sessions.leave(session, { problem: seat.problem, worker, ...step.over });
        continue;
      }
      if (step.view) return saying({ status: "problem", problem: seat.problem, view: step.view });
    }
    if (performance.now() >= deadline || signal.aborted) return saying({ status: "waiting" });
    await watch.change(deadline, signal);
  }
}

/** With what came of the worker's problem before, as long as it has done nothing in the next one. */
function withPrevious(next: Next, seat: Seat | undefined, ended: EndedProblem | undefined): Next {
  const hasBegun = next.status === "problem" ? !isFresh(next.view) : seat !== undefined && seat.turn !== null;
  if (!ended || hasBegun) return next;
  const { worker: _, ...previous } = ended;
  return { ...next, previous };
}

const isFresh = ({ turn, calls }: TurnView): boolean => turn.attempt === 1 && calls === 0;

/** The turn that a worker is in at this moment; undefined: it is in none, or in another than is meant. */
export async function currentView(
  deps: SessionDeps,
  {
    sessionId,
    worker,
    tokenId,
    meant,
  }: Pick<Asked, "sessionId" | "worker" | "tokenId"> & { readonly meant?: string | undefined },
): Promise<TurnView | undefined> {
  const { seats } = await findSession(deps, sessionId, tokenId);
  const seat = seats.find((one) => one.worker === worker);
  const reply = seat && (await askTurn(deps, { kind: "read", episodeId: seat.episodeId, waitMs: 0 }));
  if (reply?.status !== "reading") return undefined;
  return meant === undefined || turnName(reply.view.turn) === meant ? reply.view : undefined;
}

/** Gives an episode that has no worker to this one. `none`: none is there yet. */
async function takeEpisode(
  deps: SessionDeps,
  session: SessionRecord,
  worker: string,
): Promise<"taken" | "none" | Next> {
  const { turns, experiment, episodes, done } = await startedTurns(deps, session);
  if (experiment !== "running") return { status: "done", episodes, done };
  for (const { episodeId } of inAnyOrder(turns.filter(({ isOver }) => !isOver))) {
    const seat: Seat = { problem: `p${randomName(12)}`, worker, episodeId, turn: null };
    if (await deps.sessions.take(session, seat)) return "taken";
  }
  return "none";
}

/** Their order would say which problems of a suite they are. */
function inAnyOrder(turns: readonly EpisodeTurn[]): EpisodeTurn[] {
  return turns
    .map((turn) => ({ turn, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ turn }) => turn);
}

/** What a worker's episode is at: over, with its outcome; in a turn; or between two. */
async function stepOf(
  deps: SessionDeps,
  session: SessionRecord,
  seat: Seat,
  waitMs: number,
): Promise<{ readonly over: Omit<Previous, "problem"> } | { readonly view: TurnView | undefined }> {
  const { experimentId, model } = session;
  const { episodeId } = seat;
  const { turns } = await askTurns(deps, { experimentId, model, episodeId });
  const [turn] = turns;
  if (!turn) return { over: { outcome: null } };
  if (turn.isOver) return { over: { outcome: turn.outcome, reason: endIn(turn).reason } };
  if (turn.state !== "solving") return { view: undefined };
  // The bus takes whole milliseconds.
  const reply = await askTurn(deps, { kind: "read", episodeId, waitMs: Math.ceil(waitMs) });
  if (reply?.status !== "reading") return { view: undefined };
  const { view } = reply;
  await deps.sessions.update(session, { ...seat, turn: view.turn });
  return { view };
}
