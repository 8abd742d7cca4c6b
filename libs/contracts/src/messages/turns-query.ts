import { z } from "zod";
import { EpisodeId, ExperimentId, KubeName, ModelName } from "../ids.ts";
import { EpisodeState } from "../records/episode-state.ts";
import { ErrorInfo } from "../records/error-info.ts";
import { ExperimentStatus } from "../records/experiment.ts";
import { Outcome } from "../records/outcome.ts";
import { defineMessage } from "./define-message.ts";
import { TurnEnd } from "./turn-move.ts";

/** Gateway to scheduler: which turns of an outside agent's episodes are there. Nothing in it shows a solution. */
export const TurnsQuery = z.strictObject({
  experimentId: ExperimentId,
  model: ModelName,
  episodeId: EpisodeId.optional().describe(
    "only this one, also when it is over; absent: all that hold an arena",
  ),
});
export type TurnsQuery = z.infer<typeof TurnsQuery>;

/** How far an episode is, for its agent. */
export const EpisodeTurn = z.strictObject({
  episodeId: EpisodeId,
  state: EpisodeState,
  trial: z.int().min(1),
  attempt: z.int().min(1).describe("number of the attempt that is under way, or was the last"),
  end: TurnEnd.optional().describe("how the last turn ended; absent: it goes on, or the scheduler is older"),
  turnEnded: z.boolean().describe("the turn of this attempt has ended"),
  isOver: z.boolean().describe("no turn follows"),
  outcome: Outcome.nullable().describe("null: none yet, or the request withholds it from the agent"),
});
export type EpisodeTurn = z.infer<typeof EpisodeTurn>;

/** The turns that were asked for. */
export const Turns = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("ok"),
    experiment: ExperimentStatus,
    owner: KubeName.optional().describe("token whose session opened it; absent: people submitted it"),
    silenceSeconds: z.int().min(1).describe("for which an agent of it may be silent"),
    episodes: z.int().min(1).describe("of the whole experiment"),
    done: z.int().min(0).describe("of these, how many have ended"),
    turns: z.array(EpisodeTurn).max(1000),
  }),
  z.strictObject({ status: z.literal("error"), error: ErrorInfo }),
]);
export type Turns = z.infer<typeof Turns>;

/** The request of `TurnsQuery`. */
export const turnsQuery = defineMessage({
  name: "TurnsQuery",
  version: 1,
  subject: "microremed.rpc.turns",
  from: ["gateway"],
  to: ["scheduler"],
  schema: TurnsQuery,
  reply: Turns,
  doc: "How far the episodes of an outside agent are (request and reply).",
});
