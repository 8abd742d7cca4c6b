import type { AttemptFeedback } from "@microremed/contracts";
import type { FailureReport } from "../../failure-report.ts";
import { situation } from "../shared/situation.ts";
import { executionReport } from "../think-remed/execution-agent.ts";
import { verificationReport } from "../think-remed/verification-agent.ts";

/** What a person is told, which is what a model is told. */
export const task = (report: FailureReport, episodeId: string): string => `${situation(report)}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in:
microremed answer ${episodeId} --playbook FILE`;

export const again = (
  attempt: AttemptFeedback & { readonly number: number; readonly maxAttempts: number },
): string => `# Attempt ${attempt.number} of ${attempt.maxAttempts}
${verificationReport(attempt)}${executionReport(attempt.execution)}`;
