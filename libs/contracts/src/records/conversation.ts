import { z } from "zod";
import { Usage } from "./usage.ts";

/** A tool call of a model. `id` links it to the message with the tool's result. */
export const ToolCall = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string().describe("JSON text as the model wrote it, valid or not"),
  extra: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("provider's fields that must be sent back with the call, e.g. a thought signature"),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** A try of a model call that brought no answer. */
export const FailedTry = z.strictObject({
  code: z.string().describe("an error code, e.g. model-overloaded"),
  message: z.string(),
  milliseconds: z.number().min(0),
});
export type FailedTry = z.infer<typeof FailedTry>;

/**
 * One exchange with a model, enough to repeat or to replay it: what was sent are the messages before the answer, the
 * tools and the settings named here; what came back are the answer and the rest of this.
 */
export const Exchange = z.strictObject({
  model: z.string().describe("the model's id at its endpoint"),
  endpoint: z.string().describe("base URL, without credentials"),
  dialect: z.string(),
  tools: z.array(z.string()).describe("names of the tools offered"),
  settings: z.record(z.string(), z.unknown()).describe("every other field of the request, as it was sent"),
  startedAt: z.number().describe("wall clock, ms since the epoch"),
  milliseconds: z.number().min(0).describe("from the request to the last byte of the answer"),
  waitedMs: z.number().min(0).describe("waited for the rate limit before, failed tries included"),
  failedTries: z.array(FailedTry),
  finishReason: z.string(),
  usageReported: z.boolean().describe("false: the provider reported none, the tokens are characters / 4"),
  said: z
    .strictObject({ seconds: z.number().min(0).optional().describe("that it thought; absent: not said") })
    .optional()
    .describe("an outside agent made the call, and `usage` is its own word; absent: a provider's"),
  callsInText: z.boolean().describe("the tool calls were read out of the answer's text"),
});
export type Exchange = z.infer<typeof Exchange>;

/** What one model call cost; a resumed turn counts from here. */
export const CallUsage = Usage.omit({ calls: true, estimatedTokens: true });
export type CallUsage = z.infer<typeof CallUsage>;

const beside = {
  thread: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe(
      "a conversation beside the main one, of which model calls in others see nothing; absent: the main one",
    ),
};

/** One message of a stored conversation, in the roles of the chat completions API. */
export const ChatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string(), ...beside }),
  z.strictObject({
    role: z.literal("user"),
    content: z.string(),
    attempt: z.int().min(1).optional().describe("ends the opening of this attempt; absent: said within one"),
    appended: z
      .literal(true)
      .optional()
      .describe("sent as the end of the tool message before it; absent: sent by itself"),
    ...beside,
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.string(),
    toolCalls: z.array(ToolCall).default([]),
    reasoning: z.string().optional().describe("what the model thought, where its provider shows it"),
    usage: CallUsage.optional(),
    exchange: Exchange.optional(),
    ...beside,
  }),
  z.strictObject({
    role: z.literal("tool"),
    toolCallId: z.string(),
    content: z.string(),
    milliseconds: z.number().min(0).optional().describe("how long the tool took; absent: it was not run"),
    clusterMs: z
      .number()
      .min(0)
      .optional()
      .describe("the same on the cluster's clock; absent: not known, or it asked the cluster nothing"),
    acted: z
      .literal(true)
      .optional()
      .describe("of an action within the turn; absent: the tool read, or was not run"),
    refused: z
      .literal(true)
      .optional()
      .describe("the command was not run, as it may not be; its time and its place among the probes count"),
    ...beside,
  }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

/** The messages of one episode in their order, from the system prompt to the last answer. */
export const Conversation = z.array(ChatMessage);
export type Conversation = z.infer<typeof Conversation>;

/** The messages of one of a stored episode's conversations; without `thread`, of the main one. */
export function threadOf(conversation: readonly ChatMessage[], thread?: string): readonly ChatMessage[] {
  return conversation.filter((message) => message.thread === thread);
}

/** The messages of one conversation as a model is sent them: what is appended to a tool's answer is in it. */
export function sentOf(conversation: readonly ChatMessage[], thread?: string): readonly ChatMessage[] {
  const sent: ChatMessage[] = [];
  for (const message of threadOf(conversation, thread)) {
    const last = sent.at(-1);
    if (message.role === "user" && message.appended && last?.role === "tool")
      sent.splice(-1, 1, { ...last, content: `${last.content}\n\n${message.content}` });
    else sent.push(message);
  }
  return sent;
}
