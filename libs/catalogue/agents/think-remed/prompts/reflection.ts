import { type AgentContext, type AttemptFeedback, attemptReport } from "@microremed/catalogue";

/** What the execution and verification agents report after an attempt, and what the coordinator is to make of it. */
export const reflection = (context: AgentContext, last: AttemptFeedback): string =>
  `# Attempt ${context.attempt} of ${context.maxAttempts}
${attemptReport(last)}

${whatNow(last)}`;

function whatNow({ recovered }: AttemptFeedback): string {
  if (recovered === undefined)
    return "Nobody tells you whether the system has recovered. Look at it if that helps. If something is left to be repaired, hand in another playbook by calling print_playbook; if not, say so without calling a tool.";
  return "The failure is still there. Think about why the last playbook did not remove it: was it wrong, incomplete, or did it fail to run? Look at the system again if that helps, and hand in a better playbook by calling print_playbook.";
}
