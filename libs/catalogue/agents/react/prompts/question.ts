import { type AgentContext, type AttemptFeedback, attemptReport } from "@microremed/catalogue";
import { observing } from "./actions.ts";

export const questionSystem = `You are a site reliability engineer who examines microservice systems on Kubernetes. You take turns in thinking and acting: in every answer first write down, in a sentence or two beginning with "Thought:", what you know by now and what you need to know next; then act by calling one tool. You get back what the action showed, and go on from there.`;

/** For any task with an answer. */
export const question = (context: AgentContext): string => `${context.situation}

# Your actions
${observing(context)}
- submit hands in your answer, which ends the task. Its arguments are one JSON object by this schema: ${JSON.stringify(context.task.answer)}`;

/** After an attempt without an answer. */
export const unanswered = (context: AgentContext, last: AttemptFeedback): string =>
  `# Attempt ${context.attempt} of ${context.maxAttempts}
${attemptReport(last)}

The question is the same. Go on, and call submit with your answer.`;
