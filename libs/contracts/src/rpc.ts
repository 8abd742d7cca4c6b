import { z } from "zod";
import { Conversation } from "./conversation.ts";
import { Arena, EpisodeRecord } from "./episode.ts";
import { ErrorInfo } from "./error-info.ts";
import { ExperimentRecord } from "./experiment.ts";
import { EpisodeId, ExperimentId, KubeName } from "./ids.ts";
import { Concealment } from "./request.ts";

/** Name of an object, with its kind before it or without. */
const TelemetryObject = z
  .string()
  .regex(/^(?:[a-z]{1,40}\/)?[a-z0-9][a-z0-9.-]{0,251}$/, "<name> or <kind>/<name>");

/** A look at the arena: a shell command that only reads, or a question to its telemetry. */
export const Probe = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("command"), command: z.string().max(16_384) }),
  z.strictObject({
    kind: z.literal("logs"),
    of: TelemetryObject.describe("a pod, or <kind>/<name>"),
    container: KubeName.optional(),
    previous: z.boolean().default(false).describe("of the container before its last restart"),
    lines: z.int().min(1).max(1000).default(100),
  }),
  z.strictObject({
    kind: z.literal("metrics"),
    promql: z.string().max(4096).optional().describe("default: CPU and memory of every container now"),
  }),
  z.strictObject({ kind: z.literal("events"), of: TelemetryObject.optional().describe("default: all") }),
  z.strictObject({ kind: z.literal("topology") }),
]);
export type Probe = z.infer<typeof Probe>;

/** Remediator to executor: look at the arena with its read-only credentials. */
export const ProbeRequest = z.strictObject({
  episodeId: EpisodeId,
  arena: Arena,
  concealment: Concealment.optional().describe("absent: none"),
  probe: Probe,
  timeoutSeconds: z.int().min(1),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

export const ProbeReply = z.strictObject({
  status: z.enum(["ok", "failed", "timed-out", "refused"]),
  exitCode: z.int().nullable(),
  output: z.string().describe("stdout and stderr, clipped in the middle; for refused: why"),
});
export type ProbeReply = z.infer<typeof ProbeReply>;

/** Client to remediator: the playbook for an episode whose method (Human) waits for one. */
export const PlaybookAnswer = z.strictObject({
  episodeId: EpisodeId,
  playbook: z.string().min(1).max(262_144),
});
export type PlaybookAnswer = z.infer<typeof PlaybookAnswer>;

export const PlaybookAnswerReply = z.strictObject({
  attempt: z.int().min(1).describe("the attempt that the playbook was taken for"),
});
export type PlaybookAnswerReply = z.infer<typeof PlaybookAnswerReply>;

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
