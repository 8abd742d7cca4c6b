import { defineAgent } from "@microremed/catalogue";
import { system, task } from "./prompts.ts";

/** All context in one prompt, one call, one playbook, one attempt. */
export default defineAgent({
  name: "SoloGen",
  description: "one prompt with all context, one answer, one playbook, a single attempt",
  tasks: ["mitigation"],
  tools: [],
  maxAttempts: () => 1,
  solve: ({ once, situation }) =>
    once([
      { role: "system", content: system },
      { role: "user", content: task(situation) },
    ]),
});
