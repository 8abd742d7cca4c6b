import { z } from "zod";
import { EpisodeId } from "../ids.ts";
import { maxPlaybookLength } from "../limits.ts";
import { defineMessage } from "./define-message.ts";

/** Client to remediator: the playbook for an episode whose method (Human) waits for one. */
export const PlaybookAnswer = z.strictObject({
  episodeId: EpisodeId,
  playbook: z.string().min(1).max(maxPlaybookLength),
});
export type PlaybookAnswer = z.infer<typeof PlaybookAnswer>;

/** The playbook was accepted. */
export const PlaybookAnswerReply = z.strictObject({
  attempt: z.int().min(1).describe("the attempt that the playbook was accepted for"),
});
export type PlaybookAnswerReply = z.infer<typeof PlaybookAnswerReply>;

/**
 * The request of `PlaybookAnswer`, on a subject of the episode's own: only the replica that waits for it answers.
 */
export const playbookAnswer = defineMessage({
  name: "PlaybookAnswer",
  version: 1,
  subject: "microremed.rpc.answer.<episode>",
  from: ["client"],
  to: ["remediator"],
  schema: PlaybookAnswer,
  reply: PlaybookAnswerReply,
  doc: "A person's playbook for an episode whose method waits for it (request and reply; no responder when no episode waits).",
});
