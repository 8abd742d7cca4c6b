import type { Dialect } from "./dialect.ts";

/** Parts of the answer's limit that thinking may take. */
const shares = { low: 0.25, medium: 0.5, high: 0.75 };

/** Alibaba's DashScope. Its open models think in streamed answers only: set `stream: true` with reasoning. */
export const dashscope: Dialect = {
  name: "dashscope",
  maxTokensField: "max_tokens",
  reasoning: (setting, maxTokens) => ({
    enable_thinking: setting !== "off",
    ...(setting !== "off" &&
      setting !== "on" && { thinking_budget: Math.floor(maxTokens * shares[setting]) }),
  }),
};
