import type { Dialect } from "./dialect.ts";

/** Parts of the answer's limit that thinking may take; Anthropic wants at least 1024 tokens, and fewer than the limit. */
const shares = { low: 0.25, on: 0.5, medium: 0.5, high: 0.75 };

/** Anthropic's OpenAI-compatible endpoint: thinking has a budget of tokens, and reasoning_effort is ignored. */
export const anthropic: Dialect = {
  name: "anthropic",
  maxTokensField: "max_tokens",
  reasoning: (setting, maxTokens) =>
    setting === "off"
      ? { thinking: { type: "disabled" } }
      : {
          thinking: {
            type: "enabled",
            budget_tokens: Math.max(1024, Math.floor(maxTokens * shares[setting])),
          },
        },
};
