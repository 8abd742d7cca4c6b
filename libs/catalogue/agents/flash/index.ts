import { type AgentContext, attemptReport, type ChatMessage, defineAgent } from "@microremed/catalogue";
import { hindsight, system, unfinished } from "./prompts.ts";

/**
 * In the style of FLASH as AIOpsLab has it: before every further step a second call reads its last steps and says what to do
 * next. Its answer is really appended to the observation; AIOpsLab's own code computes it and drops it.
 */
export default defineAgent({
  name: "FLASH",
  description:
    "an agent with all tools; after every observation a second call reads its last steps and says what to do next, in the style of FLASH",
  tasks: "all",
  tools: [
    "exec_shell",
    "get_logs",
    "query_metrics",
    "search_traces",
    "get_events",
    "get_topology",
    "describe",
  ],
  settings: { temperature: 0.5, topP: 0.95, maxTokens: 1024, historyTokens: 120_000, steps: 30 },
  maxAttempts: (requested) => requested,
  solve: (context) =>
    context.loop(opening(context), { afterObservation: (said) => hindsightOn(context, said) }),
});

function opening(context: AgentContext): ChatMessage[] {
  const { lastAttempt, situation } = context;
  if (lastAttempt !== null)
    return [{ role: "user", content: unfinished(attemptReport(lastAttempt, "commands")) }];
  return [
    { role: "system", content: system(context) },
    { role: "user", content: situation },
  ];
}

async function hindsightOn(context: AgentContext, said: readonly ChatMessage[]): Promise<string> {
  const step = said.filter(({ role }) => role === "assistant").length;
  const content = hindsight(context, said);
  const answer = await context.consult({ name: `hindsight ${step}`, opening: [{ role: "user", content }] });
  return `Hindsight: ${answer}`;
}
