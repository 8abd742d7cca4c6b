import { clipMiddle } from "@microremed/core";

/** Most characters of a playbook run's output that go into a prompt. */
const maxOutput = 6_000;

/** What the execution and verification agents report after a failed attempt. */
export const reflection = (attempt: {
  number: number;
  maxAttempts: number;
  execution: string;
  recovered: boolean;
}): string => `# Attempt ${attempt.number} of ${attempt.maxAttempts}
Recovered: ${attempt.recovered ? "yes" : "no"}

Execution of the last playbook:
${clipMiddle(attempt.execution.trimEnd(), maxOutput) || "(it printed nothing)"}

The failure is still there. Think about why the last playbook did not remove it: was it wrong, incomplete, or did it fail to run? Look at the system again if that helps, and hand in a better playbook by calling print_playbook.`;
