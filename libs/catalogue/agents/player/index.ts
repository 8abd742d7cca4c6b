import { attemptReport, defineAgent } from "@microremed/catalogue";

/** Every tool and the bare situation, without a word of guidance: for people who play, and as a floor for models. */
export default defineAgent({
  name: "Player",
  description: "every tool and no guidance: what people play with, and models may be tried with",
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
  maxAttempts: (requested) => requested,
  solve: ({ loop, situation, lastAttempt }) =>
    loop([{ role: "user", content: lastAttempt === null ? situation : attemptReport(lastAttempt) }]),
});
