import { z } from "zod";

export const ToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string().describe("JSON text as the model wrote it, valid or not"),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** One message of a stored conversation, in the roles of the chat completions API. */
export const ChatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string(),
    toolCalls: z.array(ToolCall).default([]),
    usage: z
      .strictObject({ promptTokens: z.int().min(0), completionTokens: z.int().min(0) })
      .optional()
      .describe("what this one model call cost; a resumed turn counts from here"),
  }),
  z.strictObject({ role: z.literal("tool"), toolCallId: z.string(), content: z.string() }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

export const Conversation = z.array(ChatMessage);
export type Conversation = z.infer<typeof Conversation>;
