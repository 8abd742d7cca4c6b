import type { AgentContext, Feedback } from "@microremed/catalogue";
import { probeAgent, probeRole } from "./probe-agent.ts";

const executionRole = "an execution agent runs the Ansible playbooks that you write";

const verificationRole: Readonly<Record<Feedback, string>> = {
  oracle: ", and a verification agent tells you whether the system recovered",
  observation: ", and a verification agent tells you what it measures afterwards",
  none: "",
};

export const system = (feedback: Feedback): string =>
  `You are the coordinator of a team that repairs microservice systems on Kubernetes. ${probeRole}, ${executionRole}${verificationRole[feedback]}. You decide what to look at, and you write the playbooks.`;

export const task = (context: AgentContext): string => `${context.situation}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in by calling print_playbook.
${probeAgent(context)}
${again(context)}, up to ${context.maxAttempts} attempt${context.maxAttempts === 1 ? "" : "s"} in all.`;

function again({ feedback }: AgentContext): string {
  if (feedback === "oracle")
    return "If the system has not recovered afterwards, you get what the playbook printed and may try again";
  return "If nothing is to be repaired, say so without calling a tool. After a playbook you get what it printed and may hand in another one";
}
