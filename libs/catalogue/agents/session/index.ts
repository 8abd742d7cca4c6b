import { type AgentContext, attemptReport, defineAgent } from "@microremed/catalogue";

/** A program outside of the range, which calls the tools over the gateway; it is given what people and bare models are. */
export default defineAgent({
  name: "Session",
  description: "an outside agent in a session of the gateway: every tool, and no guidance",
  tasks: "all",
  tools: [
    "exec_shell",
    "describe",
    "get_events",
    "get_logs",
    "get_topology",
    "query_metrics",
    "search_traces",
    "diff_since",
    "wait",
    "undo_last_action",
  ],
  outside: true,
  maxAttempts: (requested) => requested,
  solve: (context) => context.loop([{ role: "user", content: opening(context) }]),
});

function opening(context: AgentContext): string {
  const { lastAttempt, situation, task } = context;
  if (lastAttempt !== null) return attemptReport(lastAttempt, "commands");
  return `${situation}\n\n${task.answer === null ? attemptRules(context) : answerRules}`;
}

const answerRules = "# Attempts\n- An answer is final: no other attempt follows it, right or wrong.";

/** When a repair is measured, and when another attempt follows. */
function attemptRules({ maxAttempts, feedback }: Pick<AgentContext, "maxAttempts" | "feedback">): string {
  const lines =
    maxAttempts === 1 || feedback !== "oracle"
      ? ["`submit` ends the problem. Only then is the system measured."]
      : [
          `\`submit\` ends an attempt. Only then is the system measured. There are at most ${maxAttempts} attempts.`,
          "If you have changed something in the attempt and the system is not repaired, another attempt follows, with what came of this one.",
          "A `submit` without any change in the attempt ends the problem: it says that nothing is left to be done.",
        ];
  return `# Attempts\n${lines.map((line) => `- ${line}`).join("\n")}`;
}
