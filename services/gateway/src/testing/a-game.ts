import type { Bus } from "@microremed/bus";
import {
  Budgets,
  type EpisodeTurn,
  subjects,
  TurnMove,
  type TurnReply,
  type Turns,
  TurnsQuery,
} from "@microremed/contracts";
import { z } from "zod";

/** A scheduler and a remediator as far as sessions need them, with episodes that a test arranges. */
export interface Game extends AsyncDisposable {
  /** By the episode's id; what is not here does not hold an arena. */
  readonly turns: Map<string, EpisodeTurn>;
  status: Extract<Turns, { status: "ok" }>["experiment"];
  /** Requests for experiments that were accepted, and experiments that were cancelled, with who left. */
  readonly submitted: Record<string, unknown>[];
  readonly cancelled: string[];
  /** Every move that a remediator got. */
  readonly moves: TurnMove[];
  /** What a remediator answers; undefined: it is not there. */
  answer: (move: TurnMove) => TurnReply;
  /** From now on a remediator has a turn of the episode. */
  seat(episodeId: string): Promise<AsyncDisposable>;
}

export const aTurn = (episodeId: string, changes: Partial<EpisodeTurn> = {}): EpisodeTurn => ({
  ...{ episodeId, state: "solving", trial: 1, attempt: 1, turnEnded: false, isOver: false, outcome: null },
  ...changes,
});

const truth = "cpu-stress on cart";

/** What a remediator says of a turn. */
export const reading = (attempt = 1, calls = 0): TurnReply => ({
  status: "reading",
  view: {
    ...{
      turn: { trial: 1, attempt },
      task: "detection",
      mayAct: false,
      words: `attempt ${attempt}`,
      calls,
    },
    tools: [{ name: "get_logs", description: "Get logs.", parameters: { type: "object" } }],
    ...{ maxAttempts: 2, submitIsFinal: true, maxProbes: 5, silenceSeconds: 60, budgets: Budgets.parse({}) },
  },
});

/** Answers on the bus in the place of the services, until it is disposed of. */
export async function aGame(bus: Bus): Promise<Game> {
  await using started = new AsyncDisposableStack();
  const submitted: Record<string, unknown>[] = [];
  const cancelled: string[] = [];
  const moves: TurnMove[] = [];
  const turns = new Map<string, EpisodeTurn>();
  const asked = {
    stream: "EXPERIMENTS",
    durable: "scheduler",
    schema: z.string(),
    format: "text",
    concurrency: 1,
  } as const;
  started.use(
    await bus.consume({ ...asked, subjects: [subjects.submit] }, async (text, { reply }) => {
      const request = JSON.parse(text) as Record<string, unknown>;
      submitted.push(request);
      const issues = [{ path: "problems", message: `is not known: ${truth}` }];
      const isKnown = JSON.stringify(request).includes("unknown") === false;
      const accepted = { status: "accepted", experimentId: request["id"], episodes: 3, created: true };
      await reply?.(isKnown ? accepted : { status: "rejected", issues });
    }),
  );
  started.use(
    await bus.consume({ ...asked, subjects: [subjects.cancel] }, async (text) => {
      const { experimentId, by } = JSON.parse(text) as { experimentId: string; by?: string };
      cancelled.push(by === undefined ? experimentId : `${experimentId} by its ${by}`);
    }),
  );
  const game: Game = {
    ...{ turns, submitted, cancelled, moves, status: "running", answer: () => reading() },
    seat: (episodeId) =>
      bus.serve(subjects.turn(episodeId), "remediator", TurnMove, async (move) => {
        moves.push(move);
        return game.answer(move);
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  started.use(
    await bus.serve(
      subjects.turnsQuery,
      "scheduler",
      TurnsQuery,
      async ({ experimentId, episodeId }): Promise<Turns> => {
        const isOwn = experimentId.startsWith("session-");
        if (experimentId.includes("nowhere") || (isOwn && !submitted.some(({ id }) => id === experimentId)))
          return {
            status: "error",
            error: { code: "unknown-experiment", message: "there is none", details: {} },
          };
        const all = [...turns.values()];
        const { owner } = z
          .looseObject({ owner: z.string().optional() })
          .parse(submitted.find(({ id }) => id === experimentId) ?? {});
        return {
          ...(owner !== undefined && { owner }),
          ...{ status: "ok", experiment: game.status, silenceSeconds: 60, episodes: 3, done: 0 },
          turns:
            episodeId === undefined
              ? all.filter(({ isOver }) => !isOver)
              : all.filter((one) => one.episodeId === episodeId),
        };
      },
    ),
  );
  const owned = started.move();
  return game;
}
