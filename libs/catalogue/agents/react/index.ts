import { type AgentContext, type ChatMessage, defineAgent } from "@microremed/catalogue";
import { observed, system, task } from "./prompts/mitigation.ts";
import { question, questionSystem, unanswered } from "./prompts/question.ts";

/** One agent that thinks aloud before every action; running a playbook is an action among the others. */
export default defineAgent({
  name: "ReAct",
  description: "one agent in turns of thought and action, with the same tools as ThinkRemed's team",
  tasks: "all",
  tools: ["probe_system", "get_logs", "query_metrics", "get_events", "get_topology"],
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop(opening(context)),
});

function opening(context: AgentContext): ChatMessage[] {
  const { lastAttempt } = context;
  if (lastAttempt !== null) {
    const again = lastAttempt.unanswered ? unanswered : observed;
    return [{ role: "user", content: again(context, lastAttempt) }];
  }
  if (context.task.answer !== null) {
    return [
      { role: "system", content: questionSystem },
      { role: "user", content: question(context) },
    ];
  }
  return [
    { role: "system", content: system },
    { role: "user", content: task(context) },
  ];
}
