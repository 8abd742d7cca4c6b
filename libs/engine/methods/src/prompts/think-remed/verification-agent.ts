import type { AttemptFeedback, Feedback } from "@microremed/contracts";
import { clipMiddle } from "@microremed/core";

/** Most characters of what was measured that go into a prompt. */
const maxOutput = 6_000;

export const verificationRole: Readonly<Record<Feedback, string>> = {
  oracle: ", and a verification agent tells you whether the system recovered",
  observation: ", and a verification agent tells you what it measures afterwards",
  none: "",
};

/** What the verification agent reports after an attempt: as much as the request lets it, or nothing. */
export function verificationReport({ recovered, observation }: AttemptFeedback): string {
  if (recovered !== undefined) return `Recovered: ${recovered ? "yes" : "no"}\n\n`;
  return observation === undefined ? "" : `Measured since:\n${clipMiddle(observation, maxOutput)}\n\n`;
}
