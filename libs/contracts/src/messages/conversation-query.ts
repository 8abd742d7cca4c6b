import { z } from "zod";
import { EpisodeId } from "../ids.ts";
import { Conversation } from "../records/conversation.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: the stored conversation of one episode. */
export const ConversationQuery = z.strictObject({ episodeId: EpisodeId });
export type ConversationQuery = z.infer<typeof ConversationQuery>;

/**
 * The conversation of the episode's latest trial; empty when no model has been called. Texts too long for one reply
 * are cut in the middle.
 */
export const ConversationReply = z.strictObject({ conversation: Conversation });
export type ConversationReply = z.infer<typeof ConversationReply>;

/** The request of `ConversationQuery`. */
export const conversationQuery = defineMessage({
  name: "ConversationQuery",
  version: 1,
  subject: "microremed.rpc.conversations",
  from: ["client", "gateway"],
  to: ["scheduler"],
  schema: ConversationQuery,
  reply: ConversationReply,
  doc: "The stored conversation of one episode (request and reply).",
});
