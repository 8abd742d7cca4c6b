import type { AttemptFeedback } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";
import type { Acting } from "./task.ts";

/** Most characters of what was printed, and of what was measured, that go into a prompt. */
const maxOutput = 6_000;

/**
 * What came of an attempt, in words: the verdict or the measurements, as much as the request allows, and what was
 * printed; of a task with an answer, why none was handed in.
 */
export function attemptReport(attempt: AttemptFeedback, acting: Acting = "playbook"): string {
  if (attempt.unanswered) return `No answer was handed in: ${clipMiddle(attempt.execution, maxOutput)}`;
  const printed = acting === "playbook" ? "Execution of the last playbook" : "Output of the last command";
  return `${verification(attempt)}${printed}:
${clipMiddle(attempt.execution.trimEnd(), maxOutput) || "(it printed nothing)"}`;
}

function verification({ recovered, observation }: AttemptFeedback): string {
  if (recovered !== undefined) return `Recovered: ${recovered ? "yes" : "no"}\n\n`;
  return observation === undefined ? "" : `Measured since:\n${clipMiddle(observation, maxOutput)}\n\n`;
}
