/** What the command's exit code means; printed by `microremed --help`. */
export const exitCodes = {
  ok: { code: 0, doc: "success; for run and watch: the experiment completed, whatever its success rate" },
  failed: { code: 1, doc: "an error that is not listed below" },
  usage: { code: 2, doc: "a wrong argument, file or request; nothing was started" },
  unavailable: {
    code: 3,
    doc: "NATS, a service, a model or a required program is missing or does not answer",
  },
  cancelled: { code: 4, doc: "the experiment was cancelled" },
  diverged: { code: 5, doc: "a replay differs from its recording, or a signed run does not pass a check" },
  harness: {
    code: 6,
    doc: "for run and watch: every episode ended as a harness error, so nothing is known about the agent",
  },
  interrupted: {
    code: 130,
    doc: "stopped by Ctrl-C or SIGTERM; run has saved the episodes that had ended and printed their report",
  },
} as const;
