import { isReferenceName, referenceNames } from "@microremed/llm/reference-names";
import { z } from "zod";
import { JsonSchema } from "./answers.ts";

const Message = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z
    .union([
      z.string(),
      // Some clients send every text as a list of parts.
      z
        .array(z.looseObject({ text: z.string().default("") }))
        .transform((parts) => parts.map(({ text }) => text).join("\n")),
    ])
    .nullish(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});
export type WireMessage = z.infer<typeof Message>;

/** The part of a chat completion request that the policies read; everything else is ignored. */
export const ChatCompletionRequest = z.object({
  model: z.string().refine(isReferenceName, `must be one of ${referenceNames.join(", ")}`),
  messages: z.array(Message).min(1),
  tools: z
    .array(
      z.object({
        function: z.object({ name: z.string(), parameters: JsonSchema.optional() }),
      }),
    )
    .default([]),
  seed: z.int().nullish(),
  stream: z.boolean().nullish(),
});
export type ChatCompletionRequest = z.infer<typeof ChatCompletionRequest>;
