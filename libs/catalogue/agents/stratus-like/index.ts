import { type AgentContext, attemptReport, type ChatMessage, defineAgent } from "@microremed/catalogue";
import { diagnose, diagnosing, mitigate, mitigating, question } from "./prompts.ts";

/** Actions that are undone before another try, at most. */
const mostUndone = 10;

/**
 * A team in the style of SREGym's Stratus: one member diagnoses, one repairs on its report. What a try that failed has
 * changed is undone, without a model, before the next one.
 */
export default defineAgent({
  name: "Stratus-like",
  description:
    "a team in the style of SREGym's Stratus: a diagnosis, a repair on it, and undo and retry after a failure",
  tasks: "all",
  tools: [
    "exec_shell",
    "query_metrics",
    "search_traces",
    "get_logs",
    "get_events",
    "get_topology",
    "undo_last_action",
    "wait",
  ],
  settings: { historyTokens: 120_000 },
  maxAttempts: (requested) => requested,
  solve: async (context) => {
    const { lastAttempt, task, situation, loop } = context;
    if (task.answer !== null) return loop(opening(diagnosing, question(context), context));
    if (lastAttempt !== null && lastAttempt.recovered !== true) await undoAll(context);
    const asked =
      lastAttempt === null ? situation : `${situation}\n\n${attemptReport(lastAttempt, "commands")}`;
    const diagnosis = await context.consult({
      name: "diagnosis",
      opening: [
        { role: "system", content: diagnosing },
        { role: "user", content: diagnose(asked) },
      ],
      observing: true,
    });
    return loop(opening(mitigating, mitigate(context, diagnosis), context));
  },
});

function opening(system: string, content: string, { lastAttempt }: AgentContext): ChatMessage[] {
  if (lastAttempt === null)
    return [
      { role: "system", content: system },
      { role: "user", content },
    ];
  return [{ role: "user", content: `${attemptReport(lastAttempt, "commands")}\n\n${content}` }];
}

async function undoAll({ call }: AgentContext): Promise<void> {
  for (let undone = 0; undone < mostUndone; undone++) {
    const { ran, text } = await call("undo_last_action");
    if (!ran || text.includes("nothing to undo")) return;
  }
}
