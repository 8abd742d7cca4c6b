import type { Dialect } from "./dialect.ts";
import { effortOf } from "./dialect.ts";

/** DeepSeek: a thinking model that calls tools refuses a conversation from which its earlier thinking is missing. */
export const deepseek: Dialect = {
  name: "deepseek",
  maxTokensField: "max_tokens",
  reasoning: (setting) =>
    setting === "off"
      ? { thinking: { type: "disabled" } }
      : {
          thinking: { type: "enabled" },
          ...(setting !== "on" && { reasoning_effort: effortOf(setting) }),
        },
  thinkingField: "reasoning_content",
};
