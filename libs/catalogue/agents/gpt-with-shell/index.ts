import { type AgentContext, attemptReport, type ChatMessage, defineAgent } from "@microremed/catalogue";
import { again, system } from "./prompts.ts";

/** AIOpsLab's agent of that name: the task and a shell, and nothing said about how to proceed. */
export default defineAgent({
  name: "GPT-with-shell",
  description: "the task's text, a shell and submit: AIOpsLab's simplest agent, with any model",
  tasks: "all",
  tools: ["exec_shell"],
  settings: { temperature: 0.5, topP: 0.95, maxTokens: 1024, historyTokens: 120_000, steps: 30 },
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop(opening(context)),
});

function opening(context: AgentContext): ChatMessage[] {
  const { lastAttempt, situation } = context;
  if (lastAttempt !== null) return [{ role: "user", content: again(attemptReport(lastAttempt, "commands")) }];
  return [
    { role: "system", content: system(context) },
    { role: "user", content: situation },
  ];
}
