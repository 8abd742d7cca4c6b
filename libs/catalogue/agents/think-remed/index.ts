import { type AgentContext, type ChatMessage, defineAgent } from "@microremed/catalogue";
import { system, task } from "./prompts/coordinator.ts";
import { reflection } from "./prompts/reflection.ts";

/**
 * The coordinator decides whether to probe and hands in a playbook; after a failed attempt it reflects on what the
 * execution and verification agents report, and tries again until T_max.
 */
export default defineAgent({
  name: "ThinkRemed",
  description: "a coordinator that may probe first and reflects on failed attempts until T_max",
  tasks: ["mitigation"],
  tools: ["probe_system", "get_logs", "query_metrics", "get_events", "get_topology"],
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop(opening(context)),
});

function opening(context: AgentContext): ChatMessage[] {
  const { lastAttempt, feedback } = context;
  if (lastAttempt !== null) return [{ role: "user", content: reflection(context, lastAttempt) }];
  return [
    { role: "system", content: system(feedback) },
    { role: "user", content: task(context) },
  ];
}
