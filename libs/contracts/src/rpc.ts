import { z } from "zod";
import { Conversation } from "./conversation.ts";
import { Arena, EpisodeRecord } from "./episode.ts";
import { ErrorInfo } from "./error-info.ts";
import { ExperimentRecord } from "./experiment.ts";
import { EpisodeId, ExperimentId } from "./ids.ts";

/** Remediator to executor: run one read-only command against the arena. */
export const ProbeRequest = z.strictObject({
  episodeId: EpisodeId,
  arena: Arena,
  command: z.string().max(16_384),
  timeoutSeconds: z.int().min(1),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

export const ProbeReply = z.strictObject({
  status: z.enum(["ok", "failed", "timed-out", "refused"]),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr, clipped in the middle; for refused: why"),
});
export type ProbeReply = z.infer<typeof ProbeReply>;

/** What the reply to a submitted request says (when the client gave a reply subject). */
export const SubmitReply = z.discriminatedUnion("status", [
  z.strictObject({ status: z.literal("accepted"), experimentId: ExperimentId, episodes: z.int() }),
  z.strictObject({
    status: z.literal("rejected"),
    issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  }),
]);
export type SubmitReply = z.infer<typeof SubmitReply>;

/** Client to scheduler: an experiment and its episodes, `limit` at a time from index `from`. */
export const ExperimentQuery = z.strictObject({
  experimentId: ExperimentId,
  from: z.int().min(0).default(0),
  limit: z.int().min(1).max(100).default(20),
});
export type ExperimentQuery = z.infer<typeof ExperimentQuery>;

export const ExperimentPage = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.literal("ok"),
    experiment: ExperimentRecord,
    episodes: z.array(EpisodeRecord),
    next: z.int().nullable().describe("index of the next page; null: this was the last"),
  }),
  z.strictObject({ status: z.literal("error"), error: ErrorInfo }),
]);
export type ExperimentPage = z.infer<typeof ExperimentPage>;

/** Client to scheduler: the stored conversation of one episode. */
export const ConversationQuery = z.strictObject({ episodeId: EpisodeId });
export type ConversationQuery = z.infer<typeof ConversationQuery>;

export const ConversationReply = z.strictObject({ conversation: Conversation });
export type ConversationReply = z.infer<typeof ConversationReply>;
