import type { ToolCall } from "@microremed/contracts";
import { clipMiddle, retryable } from "@microremed/core";
import { z } from "zod";
import type { CallUsage } from "./chat.types.ts";

const tokens = z.number().min(0).transform(Math.round);

const WireToolCall = z.object({
  id: z.string().nullish(),
  function: z.object({
    name: z.string(),
    // Some servers send the object itself instead of its JSON text.
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

const ContentPart = z.object({ type: z.string(), text: z.string().optional() });

const WireReply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), z.array(ContentPart)]).nullish(),
          refusal: z.string().nullish(),
          tool_calls: z.array(WireToolCall).nullish(),
        }),
      }),
    )
    .min(1, "no choices"),
  usage: z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish().catch(null),
});

export interface ParsedReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: string;
  /** null: the provider reported none. */
  readonly usage: CallUsage | null;
}

/**
 * A provider's answer as a reply. `idPrefix` must be unique in the conversation: calls without an id, or with one that
 * the reply uses twice, get `<idPrefix>-<n>`. Throws `model-garbled` that says what is wrong and shows the beginning.
 */
export function parseReply(body: string, contentType: string, idPrefix: string): ParsedReply {
  const json = parseJson(body, contentType);
  const parsed = WireReply.safeParse(json);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, 5);
    const what = issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`).join("; ");
    throw garbled(`is no chat completion (${what})`, body);
  }
  const choice = parsed.data.choices[0];
  if (!choice) throw garbled("has no choices", body);
  const { message } = choice;
  return {
    content: textOf(message.content) || (message.refusal ?? ""),
    toolCalls: withUniqueIds(message.tool_calls ?? [], idPrefix),
    finishReason: choice.finish_reason ?? "unknown",
    usage: parsed.data.usage
      ? {
          promptTokens: parsed.data.usage.prompt_tokens,
          completionTokens: parsed.data.usage.completion_tokens,
        }
      : null,
  };
}

function parseJson(body: string, contentType: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    const isJson = contentType.includes("json");
    throw garbled(
      isJson ? "is broken JSON" : `is ${contentType || "without a content type"}, not JSON`,
      body,
    );
  }
}

function garbled(what: string, body: string) {
  return retryable("model-garbled", `the endpoint's reply ${what}: ${clipMiddle(body, 300) || "(empty)"}`);
}

function textOf(content: string | readonly z.infer<typeof ContentPart>[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => part.text ?? "").join("");
}

function withUniqueIds(calls: readonly z.infer<typeof WireToolCall>[], idPrefix: string): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id && !seen.has(call.id) ? call.id : `${idPrefix}-${index}`;
    seen.add(id);
    const args = call.function.arguments ?? "";
    return {
      id,
      name: call.function.name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    };
  });
}
