import type { Dialect } from "./dialect.ts";
import { effortOf } from "./dialect.ts";

/** Chat completions with tools as most servers understand them. */
export const compatible: Dialect = {
  name: "compatible",
  maxTokensField: "max_tokens",
  reasoning: (setting) => ({ reasoning_effort: setting === "off" ? "none" : effortOf(setting) }),
};
