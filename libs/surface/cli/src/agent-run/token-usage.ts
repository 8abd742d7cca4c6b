import type { Tokens } from "@microremed/contracts";
import { z } from "zod";

const count = z.number().int().min(0).catch(0).default(0);

const Usage = z.object({
  // OpenAI's chat completions.
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullable().catch(null).default(null),
  // Anthropic's messages, and OpenAI's responses.
  input_tokens: count,
  output_tokens: count,
  cache_read_input_tokens: count,
  cache_creation_input_tokens: count,
  input_tokens_details: z.object({ cached_tokens: count }).nullable().catch(null).default(null),
});

/** Gemini's. */
const Metadata = z.object({
  promptTokenCount: count,
  candidatesTokenCount: count,
  thoughtsTokenCount: count,
  cachedContentTokenCount: count,
});

const Answer = z.object({
  usage: z.unknown().optional(),
  message: z.object({ usage: z.unknown().optional() }).optional().catch(undefined),
  response: z.object({ usage: z.unknown().optional() }).optional().catch(undefined),
  usageMetadata: z.unknown().optional(),
});

const nothing: Tokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };

/** What an answer of a provider, or one event of a stream, says of its tokens; undefined: nothing. */
export function usageIn(answer: unknown): Tokens | undefined {
  const read = Answer.safeParse(answer).data;
  const metadata = Metadata.safeParse(read?.usageMetadata).data;
  if (metadata) {
    const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount, cachedContentTokenCount } = metadata;
    return {
      promptTokens: promptTokenCount,
      completionTokens: candidatesTokenCount + thoughtsTokenCount,
      cachedTokens: cachedContentTokenCount,
      reasoningTokens: thoughtsTokenCount,
    };
  }
  const usage = Usage.safeParse(read?.usage ?? read?.message?.usage ?? read?.response?.usage).data;
  if (!usage) return undefined;
  return {
    promptTokens:
      usage.prompt_tokens +
      usage.input_tokens +
      usage.cache_read_input_tokens +
      usage.cache_creation_input_tokens,
    completionTokens: usage.completion_tokens + usage.output_tokens,
    cachedTokens:
      (usage.prompt_tokens_details?.cached_tokens ?? 0) +
      (usage.input_tokens_details?.cached_tokens ?? 0) +
      usage.cache_read_input_tokens,
    reasoningTokens: 0,
  };
}

/** Reads the usage out of an answer while it passes by. */
export interface UsageReader {
  add(text: string): void;
  /** Of all that was added; of a stream, whose events count up, the largest of each. */
  total(): Tokens;
}

/** Characters of an answer that are kept: more is no answer of a model's, and its tokens are not known. */
const mostKept = 16 * 2 ** 20;

/** `isStream`: server-sent events instead of one JSON document. */
export function createUsageReader(isStream: boolean): UsageReader {
  let rest = "";
  let total = nothing;
  const see = (text: string): void => {
    const found = usageIn(parsed(text));
    if (found) total = largest(total, found);
  };
  return {
    add: (text) => {
      if (rest.length > mostKept) return;
      rest += text;
      if (!isStream) return;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:")) see(line.slice("data:".length));
    },
    total: () => {
      if (isStream && rest.startsWith("data:")) see(rest.slice("data:".length));
      if (!isStream) see(rest);
      return total;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function largest(a: Tokens, b: Tokens): Tokens {
  return {
    promptTokens: Math.max(a.promptTokens, b.promptTokens),
    completionTokens: Math.max(a.completionTokens, b.completionTokens),
    cachedTokens: Math.max(a.cachedTokens, b.cachedTokens),
    reasoningTokens: Math.max(a.reasoningTokens, b.reasoningTokens),
  };
}
