import type { Tokens, ToolCall } from "@microremed/contracts";
import { clipMiddle, retryable } from "@microremed/core";
import { z } from "zod";
import { isStream, joinedStream } from "./joined-stream.ts";

const tokens = z.number().min(0).transform(Math.round);

const WireToolCall = z.looseObject({
  id: z.string().nullish(),
  function: z.object({
    name: z.string(),
    // Some servers send the object itself instead of its JSON text.
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

const ContentPart = z.object({ type: z.string(), text: z.string().optional() });

const WireUsage = z.object({
  prompt_tokens: tokens,
  completion_tokens: tokens,
  total_tokens: tokens.nullish().catch(null),
  prompt_tokens_details: z.object({ cached_tokens: tokens.nullish() }).nullish().catch(null),
  completion_tokens_details: z.object({ reasoning_tokens: tokens.nullish() }).nullish().catch(null),
  // DeepSeek's name for cached tokens.
  prompt_cache_hit_tokens: tokens.nullish().catch(null),
});

const WireReply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({
          content: z.union([z.string(), z.array(ContentPart)]).nullish(),
          refusal: z.string().nullish(),
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish().catch(null),
          tool_calls: z.array(WireToolCall).nullish(),
        }),
      }),
    )
    .min(1, "no choices"),
  usage: WireUsage.nullish().catch(null),
});

/** Calls of one answer that are taken; more are no attempt to repair anything. */
const maxCalls = 128;

export interface ParsedReply {
  readonly content: string;
  readonly toolCalls: readonly ToolCall[];
  readonly reasoning: string;
  /** As the provider names it: `stop`, `tool_calls`, `length`, ...; `unknown` when it says nothing. */
  readonly finishReason: string;
  /** null: the provider reported none. */
  readonly tokens: Tokens | null;
}

/**
 * A provider's answer, streamed or not, as a reply. `idPrefix` must be unique in the conversation: calls without an id,
 * or with one that the reply uses twice, get `<idPrefix>-<n>`. Throws `model-garbled` that says what is wrong and shows
 * the beginning.
 */
export function parseReply(
  body: string,
  contentType: string,
  idPrefix: string,
  thinkingBesideCompletion = false,
): ParsedReply {
  const json = isStream(body, contentType) ? joinedStream(body) : parseJson(body, contentType);
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
    toolCalls: withUniqueIds((message.tool_calls ?? []).slice(0, maxCalls), idPrefix),
    reasoning: message.reasoning_content ?? message.reasoning ?? "",
    finishReason: message.refusal ? "refusal" : (choice.finish_reason ?? "unknown"),
    tokens: parsed.data.usage ? tokensOf(parsed.data.usage, thinkingBesideCompletion) : null,
  };
}

function tokensOf(usage: z.infer<typeof WireUsage>, thinkingBesideCompletion: boolean): Tokens {
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const beside = thinkingBesideCompletion
    ? Math.max(0, (total_tokens ?? 0) - prompt_tokens - completion_tokens)
    : 0;
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  const completionTokens = completion_tokens + beside;
  return {
    promptTokens: prompt_tokens,
    completionTokens,
    cachedTokens: Math.min(cached, prompt_tokens),
    reasoningTokens: Math.min(usage.completion_tokens_details?.reasoning_tokens ?? beside, completionTokens),
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
  return calls.map(({ id: given, function: called, type: _type, index: _index, ...extra }, position) => {
    const id = given && !seen.has(given) ? given : `${idPrefix}-${position}`;
    seen.add(id);
    const args = called.arguments ?? "";
    return {
      id,
      name: called.name,
      arguments: typeof args === "string" ? args : JSON.stringify(args),
      ...(Object.keys(extra).length > 0 && { extra }),
    };
  });
}
