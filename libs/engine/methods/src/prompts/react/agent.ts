import type { AttemptFeedback, Feedback } from "@microremed/contracts";
import type { FailureReport } from "../../failure-report.ts";
import { situation } from "../shared/situation.ts";
import { executionReport } from "../think-remed/execution-agent.ts";
import { verificationReport } from "../think-remed/verification-agent.ts";

export const system = `You are a site reliability engineer who repairs microservice systems on Kubernetes. You take turns in thinking and acting: in every answer first write down, in a sentence or two beginning with "Thought:", what you know by now and what you need to know next; then act by calling one tool. You get back what the action showed, and go on from there.`;

export const task = (
  report: FailureReport,
  limits: { maxAttempts: number; maxProbes: number; probeSeconds: number },
  told: Feedback,
): string => `${situation(report)}

# Your actions
${actions(limits)}
- print_playbook hands in one complete Ansible playbook, which ends your attempt: it is run, and ${afterwards[told]}. There are up to ${limits.maxAttempts} attempt${limits.maxAttempts === 1 ? "" : "s"} in all.`;

const afterwards: Readonly<Record<Feedback, string>> = {
  oracle: "if the system has not recovered you see what it printed and go on",
  observation:
    "you see what it printed and what is measured since. If nothing is left to be repaired, say so without calling a tool",
  none: "you see what it printed. If nothing is left to be repaired, say so without calling a tool",
};

function actions({ maxProbes, probeSeconds }: { maxProbes: number; probeSeconds: number }): string {
  if (maxProbes === 0) return "- The system cannot be looked at: decide from the report alone.";
  return `- probe_system runs one shell command that only reads: kubectl get, describe, logs, top, rollout history and the like, with filters such as grep or head on their output.
- get_logs, query_metrics, get_events and get_topology ask for telemetry.
- A look takes ${probeSeconds} s at most; there are ${maxProbes} for each attempt.`;
}

/** What the agent observes after its playbook. */
export const observed = (
  attempt: AttemptFeedback & { readonly number: number; readonly maxAttempts: number },
): string => `# Attempt ${attempt.number} of ${attempt.maxAttempts}
${verificationReport(attempt)}${executionReport(attempt.execution)}

${attempt.recovered === undefined ? "Think about whether anything is left to be repaired, and go on or say that nothing is." : "The failure is still there. Think about what that tells you, and go on."}`;
