import { type AgentContext, type AttemptFeedback, attemptReport } from "@microremed/catalogue";

/** What a person is shown, which is what a model is shown. */
export const task = ({ situation, episodeId = "EPISODE" }: AgentContext): string => `${situation}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in:
microremed answer ${episodeId} --playbook FILE`;

export const again = (context: AgentContext, last: AttemptFeedback): string =>
  `# Attempt ${context.attempt} of ${context.maxAttempts}
${attemptReport(last)}`;
