import { type Acting, type AgentContext, attemptReport, defineAgent } from "@microremed/catalogue";

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
  const { acting, lastAttempt, situation, task } = context;
  if (lastAttempt !== null) return attemptReport(lastAttempt, acting);
  const rules = task.answer === null ? attemptRules[acting](context) : answerRules;
  return `${situation}\n\n# Attempts\n${rules.map((line) => `- ${line}`).join("\n")}`;
}

const answerRules = ["An answer is final: no other attempt follows it, right or wrong."];

/** When a repair is measured, and when another attempt follows. */
const attemptRules: {
  readonly [A in Acting]: (context: Pick<AgentContext, "maxAttempts" | "feedback">) => readonly string[];
} = {
  commands: ({ maxAttempts, feedback }) =>
    maxAttempts === 1 || feedback !== "oracle"
      ? ["`submit` ends the problem. Only then is the system measured."]
      : [
          `\`submit\` ends an attempt. Only then is the system measured. There are at most ${maxAttempts} attempts.`,
          "If you have changed something in the attempt and the system is not repaired, another attempt follows, with what came of this one.",
          "A `submit` without any change in the attempt ends the problem: it says that nothing is left to be done.",
        ],
  playbook: ({ maxAttempts, feedback }) =>
    maxAttempts === 1
      ? [
          "A playbook ends the problem: it runs, and then the system is measured.",
          "`submit` ends the problem without a playbook: it says that nothing is to be done.",
        ]
      : [
          `A playbook ends an attempt: it runs, and you get to know what came of it. There are at most ${maxAttempts} attempts.`,
          ...(feedback === "oracle" ? ["When the system is repaired, no other attempt follows."] : []),
          "`submit` ends the problem without another playbook: it says that nothing is left to be done.",
        ],
};
