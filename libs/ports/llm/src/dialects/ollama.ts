import { compatible } from "./compatible.ts";
import type { Dialect } from "./dialect.ts";

/** Ollama's OpenAI-compatible endpoint. The context size is the server's (OLLAMA_CONTEXT_LENGTH): set `contextTokens` to it. */
export const ollama: Dialect = { ...compatible, name: "ollama" };
