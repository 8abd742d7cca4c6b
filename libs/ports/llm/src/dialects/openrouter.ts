import type { Dialect } from "./dialect.ts";

/** OpenRouter translates one `reasoning` object for every provider behind it. */
export const openrouter: Dialect = {
  name: "openrouter",
  maxTokensField: "max_tokens",
  reasoning: (setting) => ({
    reasoning: setting === "off" || setting === "on" ? { enabled: setting === "on" } : { effort: setting },
  }),
};
