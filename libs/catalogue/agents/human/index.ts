import { defineAgent } from "@microremed/catalogue";
import { again, task } from "./prompts.ts";

/** A person in place of a model: the request brings the playbook, or `microremed answer` does. */
export default defineAgent({
  name: "Human",
  description:
    "a person writes the playbooks: one for all attempts in the request, or each by `microremed answer`",
  tasks: ["mitigation"],
  tools: [],
  byHand: true,
  maxAttempts: (requested) => requested,
  solve: (context) => {
    const { lastAttempt } = context;
    const content = lastAttempt === null ? task(context) : again(context, lastAttempt);
    return context.byHand([{ role: "user", content }]);
  },
});
