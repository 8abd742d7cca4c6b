import type { AttemptFeedback } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";

/** Most characters of a playbook run's output that go into a prompt. */
const maxOutput = 6_000;

type LastAttempt = AttemptFeedback & { readonly number: number; readonly maxAttempts: number };

/** What the execution and verification agents report after an attempt; the latter says as much as the request lets it. */
export const reflection = (
  attempt: LastAttempt,
): string => `# Attempt ${attempt.number} of ${attempt.maxAttempts}
${verification(attempt)}Execution of the last playbook:
${clipMiddle(attempt.execution.trimEnd(), maxOutput) || "(it printed nothing)"}

${whatNow(attempt)}`;

function verification({ recovered, observation }: LastAttempt): string {
  if (recovered !== undefined) return `Recovered: ${recovered ? "yes" : "no"}\n\n`;
  return observation === undefined ? "" : `Measured since:\n${clipMiddle(observation, maxOutput)}\n\n`;
}

function whatNow({ recovered }: LastAttempt): string {
  if (recovered === undefined)
    return "Nobody tells you whether the system has recovered. Look at it if that helps. If something is left to be repaired, hand in another playbook by calling print_playbook; if not, say so without calling a tool.";
  return "The failure is still there. Think about why the last playbook did not remove it: was it wrong, incomplete, or did it fail to run? Look at the system again if that helps, and hand in a better playbook by calling print_playbook.";
}
