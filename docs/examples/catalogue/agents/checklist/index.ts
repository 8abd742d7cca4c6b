import { type AgentContext, attemptReport, type ChatMessage, defineAgent } from "@microremed/catalogue";

const system = "You are an engineer who operates systems on Kubernetes. Go through your checklist first.";

function opening({ situation, lastAttempt, task }: AgentContext): ChatMessage[] {
  if (lastAttempt !== null) return [{ role: "user", content: attemptReport(lastAttempt) }];
  const end = task.mayAct ? "act" : "submit your answer";
  return [
    { role: "system", content: system },
    {
      role: "user",
      content: `${situation}\n\nCheck pods, events, limits and logs in this order, then ${end}.`,
    },
  ];
}

/** Goes through a fixed list of checks before it acts or answers. */
export default defineAgent({
  name: "Checklist",
  description: "goes through a fixed list of checks before it acts or answers",
  tasks: "all",
  tools: ["probe_system", "get_events", "query_metrics", "get_logs", "get_config_map"],
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop(opening(context)),
});
