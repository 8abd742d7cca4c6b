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
  /** `isStream`: server-sent events instead of one JSON document. */
  begin(isStream: boolean): void;
  add(text: string): void;
  /** The answer has come as a whole. */
  end(): void;
  /**
   * Of all that was added; of a stream, whose events count up, the largest of each. What is not said is estimated, unless `asked` is
   * null: four characters are a token, and so is an event of a stream. `asked`: characters of the request.
   */
  total(asked: number | null): Tokens;
}

/** Characters of an answer that are kept: more is no answer of a model's, and its tokens are not known. */
const mostKept = 16 * 2 ** 20;
/** As for models of the range's own. */
const charactersOfToken = 4;

/** One answer of a provider. */
export function createUsageReader(): UsageReader {
  let isStream = false;
  let isWhole = false;
  let rest = "";
  let total = nothing;
  let characters = 0;
  let events = 0;
  const see = (text: string): void => {
    const found = usageIn(parsed(text));
    if (found) total = largest(total, found);
  };
  const seeLine = (line: string): void => {
    if (!line.startsWith("data:")) return;
    events++;
    see(line.slice("data:".length));
  };
  return {
    begin: (asStream) => {
      isStream = asStream;
    },
    add: (text) => {
      characters += text.length;
      if (rest.length > mostKept) return;
      rest += text;
      if (!isStream) return;
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) seeLine(line);
    },
    end: () => {
      isWhole = true;
      if (isStream) seeLine(rest);
      else see(rest);
    },
    total: (asked) => {
      if (asked === null) return total;
      const completion = isStream ? events : Math.ceil(characters / charactersOfToken);
      return {
        ...total,
        promptTokens: total.promptTokens || Math.ceil(asked / charactersOfToken),
        // What a stream has said until it was broken off counts only a part of it.
        completionTokens:
          isWhole && total !== nothing
            ? total.completionTokens
            : Math.max(total.completionTokens, completion),
      };
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
