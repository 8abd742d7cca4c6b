import { type AgentContext, type AttemptFeedback, attemptReport, type Feedback } from "@microremed/catalogue";
import { observing } from "./actions.ts";

export const system = `You are a site reliability engineer who repairs microservice systems on Kubernetes. You take turns in thinking and acting: in every answer first write down, in a sentence or two beginning with "Thought:", what you know by now and what you need to know next; then act by calling one tool. You get back what the action showed, and go on from there.`;

export const task = (context: AgentContext): string => `${context.situation}

# Your actions
${observing(context)}
- print_playbook hands in one complete Ansible playbook, which ends your attempt: it is run, and ${afterwards[context.feedback]}. There are up to ${context.maxAttempts} attempt${context.maxAttempts === 1 ? "" : "s"} in all.`;

const afterwards: Readonly<Record<Feedback, string>> = {
  oracle: "if the system has not recovered you see what it printed and go on",
  observation:
    "you see what it printed and what is measured since. If nothing is left to be repaired, say so without calling a tool",
  none: "you see what it printed. If nothing is left to be repaired, say so without calling a tool",
};

/** What the agent observes after its playbook. */
export const observed = (context: AgentContext, last: AttemptFeedback): string =>
  `# Attempt ${context.attempt} of ${context.maxAttempts}
${attemptReport(last)}

${last.recovered === undefined ? "Think about whether anything is left to be repaired, and go on or say that nothing is." : "The failure is still there. Think about what that tells you, and go on."}`;
