import { z } from "zod";
import { EpisodeState } from "../records/episode-state.ts";
import { ErrorInfo } from "../records/error-info.ts";
import { Outcome } from "../records/outcome.ts";
import { PlannedEpisode } from "../records/planned-episode.ts";
import { oldStates } from "../records/upgrade-episode.ts";
import { Usage } from "../records/usage.ts";
import { defineMessage } from "./define-message.ts";
import { ExperimentRequest } from "./experiment-request.ts";

const base = { experimentId: z.string(), at: z.number().describe("wall clock, ms since the epoch") };

const { alternatives: _, ...planned } = PlannedEpisode.shape;

/** A request was refused. `issues` names every wrong field. Published under the id the client gave, or `rejected`. */
export const ExperimentRejected = z.strictObject({
  ...base,
  type: z.literal("experiment-rejected"),
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});

/** An experiment was accepted. `request` has the defaults filled in; `episodes` is how many it will have. */
export const ExperimentStarted = z.strictObject({
  ...base,
  type: z.literal("experiment-started"),
  request: ExperimentRequest,
  episodes: z.int(),
});

/** All episodes of an experiment have ended. */
export const ExperimentFinished = z.strictObject({
  ...base,
  type: z.literal("experiment-finished"),
  status: z.enum(["completed", "cancelled"]),
});

/** Episodes of it are given no arena for now: every cluster that it may use is quarantined, or a model's provider fails. */
export const ExperimentWaits = z.strictObject({
  ...base,
  type: z.literal("experiment-waits"),
  reason: z.string(),
});

/** As 0.1.0 wrote them, which is read as today's. */
const OldState = z
  .enum(Object.keys(oldStates) as [keyof typeof oldStates, ...(keyof typeof oldStates)[]])
  .transform((state): EpisodeState => oldStates[state]);

/** An episode changed its state. */
export const EpisodeAdvanced = z.strictObject({
  ...base,
  type: z.literal("episode-advanced"),
  episodeId: z.string(),
  ...planned,
  version: z
    .literal(2)
    .optional()
    .describe("of the names of states; absent: of MicroRemed 0.1.0, whose names are read as today's"),
  state: z.union([EpisodeState, OldState]),
  trial: z.int(),
  attempt: z.int(),
  cluster: z.string().nullable(),
  note: z.string().describe("the event, in words"),
});

/** An episode has its outcome. */
export const EpisodeFinished = z.strictObject({
  ...base,
  type: z.literal("episode-finished"),
  episodeId: z.string(),
  ...planned,
  outcome: Outcome,
  reason: z.string(),
  attempts: z.int(),
  seconds: z.number().describe("wall clock from lease to verdict"),
  usage: Usage,
  error: ErrorInfo.nullable(),
});

/** Every event, distinguished by `type`. */
export const RangeEvent = z.discriminatedUnion("type", [
  ExperimentRejected,
  ExperimentStarted,
  ExperimentFinished,
  ExperimentWaits,
  EpisodeAdvanced,
  EpisodeFinished,
]);
export type RangeEvent = z.infer<typeof RangeEvent>;

/** The message of `RangeEvent`. The stream EVENTS keeps it for 30 days. */
export const rangeEvent = defineMessage({
  name: "RangeEvent",
  version: 2,
  subject: "microremed.events.<experiment>.<episode>.<type>",
  from: ["scheduler"],
  to: ["client", "gateway"],
  schema: RangeEvent,
  doc: "An event, for people and exporters. `<episode>` is `-` for events of the whole experiment.",
});
