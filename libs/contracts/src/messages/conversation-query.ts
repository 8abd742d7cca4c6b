import { z } from "zod";
import { EpisodeId } from "../ids.ts";
import { Conversation } from "../records/conversation.ts";
import { defineMessage } from "./define-message.ts";

/** Client to scheduler: the stored conversation of one episode, from message `from` on. */
export const ConversationQuery = z.strictObject({
  episodeId: EpisodeId,
  from: z.int().min(0).default(0),
});
export type ConversationQuery = z.infer<typeof ConversationQuery>;

/**
 * The conversation of the episode's latest trial, as many messages as fit in one reply; empty when no model has been called. A
 * message that fits in no reply has its texts cut in the middle.
 */
export const ConversationReply = z.strictObject({
  conversation: Conversation,
  next: z
    .int()
    .nullable()
    .default(null)
    .describe("number of the next message, from 0; null: these were the last"),
});
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
