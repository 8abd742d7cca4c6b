import type { Dialect } from "./dialect.ts";
import { effortOf } from "./dialect.ts";

/** vLLM (and SGLang): thinking is switched in the model's chat template, whose families name it differently. */
export const vllm: Dialect = {
  name: "vllm",
  maxTokensField: "max_tokens",
  reasoning: (setting) => ({
    chat_template_kwargs: { enable_thinking: setting !== "off", thinking: setting !== "off" },
    ...(setting !== "off" && setting !== "on" && { reasoning_effort: effortOf(setting) }),
  }),
};
