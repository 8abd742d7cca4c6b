import { z } from "zod";
import { EpisodeId, ModelName } from "../ids.ts";
import { Usage } from "../records/usage.ts";
import { defineMessage } from "./define-message.ts";

/** Longest text of a question to a judging model, and of its answer, characters. */
export const mostJudgeCharacters = 40_000;

/** Verifier to remediator: one question to a model that judges a free text. */
export const JudgeRequest = z.strictObject({
  model: ModelName,
  system: z.string().min(1).max(mostJudgeCharacters),
  question: z.string().min(1).max(mostJudgeCharacters).describe("with the text that is judged, as data"),
  episode: z
    .strictObject({ episodeId: EpisodeId, trial: z.int().min(1), attempt: z.int().min(0) })
    .optional()
    .describe(
      "whose answer is judged: it is asked about once, and the answer is kept. Absent: it is asked each time",
    ),
  timeoutSeconds: z.int().min(1).max(3600).describe("for the model's answer, wall clock"),
});
export type JudgeRequest = z.infer<typeof JudgeRequest>;

/** What the model answered, and what that cost. */
export const JudgeReply = z.strictObject({
  content: z.string().max(mostJudgeCharacters).describe("the beginning, if it is longer"),
  usage: Usage,
});
export type JudgeReply = z.infer<typeof JudgeReply>;

/** The request of `JudgeRequest`, on a subject of the model's own: a replica that serves the model answers. */
export const judgeRequest = defineMessage({
  name: "JudgeRequest",
  version: 1,
  subject: "microremed.rpc.judge.<model>",
  from: ["verifier"],
  to: ["remediator"],
  schema: JudgeRequest,
  reply: JudgeReply,
  doc: "Asks a model about the free text of an answer, without tools and without the agent's conversation (request and reply).",
});
