import { compatible } from "./compatible.ts";
import type { Dialect } from "./dialect.ts";

/** OpenAI: its reasoning models refuse max_tokens, all others take max_completion_tokens too. */
export const openai: Dialect = { ...compatible, name: "openai", maxTokensField: "max_completion_tokens" };
