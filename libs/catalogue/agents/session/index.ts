import { attemptReport, defineAgent } from "@microremed/catalogue";

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
  solve: ({ loop, situation, lastAttempt }) =>
    loop([{ role: "user", content: lastAttempt === null ? situation : attemptReport(lastAttempt) }]),
});
