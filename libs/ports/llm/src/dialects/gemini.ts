import { compatible } from "./compatible.ts";
import type { Dialect } from "./dialect.ts";

/** Gemini's OpenAI-compatible endpoint. Its calls carry thought signatures, which go back with them. */
export const gemini: Dialect = { ...compatible, name: "gemini", thinkingBesideCompletion: true };
