import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { compatible } from "./compatible.ts";
import { dashscope } from "./dashscope.ts";
import { deepseek } from "./deepseek.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";
import { openrouter } from "./openrouter.ts";
import { vllm } from "./vllm.ts";

/** Every dialect: one file, one line here. */
export const dialects = {
  compatible,
  openai,
  azure,
  anthropic,
  gemini,
  deepseek,
  dashscope,
  openrouter,
  vllm,
  ollama,
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof dialects;
export const dialectNames = Object.keys(dialects) as [DialectName, ...DialectName[]];
