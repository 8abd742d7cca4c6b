import type { FailureReport } from "../../failure-report.ts";
import { situation } from "../shared/situation.ts";
import { probeAgent } from "./probe-agent.ts";

export const system = `You are the coordinator of a team that repairs microservice systems on Kubernetes. A probe agent looks at the system for you, an execution agent runs the Ansible playbooks that you write, and a verification agent tells you whether the system recovered. You decide what to look at, and you write the playbooks.`;

export const task = (
  report: FailureReport,
  limits: { maxAttempts: number; maxProbes: number; probeSeconds: number },
): string => `${situation(report)}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in by calling print_playbook.
${probeAgent(limits)}
If the system has not recovered afterwards, you get what the playbook printed and may try again, up to ${limits.maxAttempts} attempt${limits.maxAttempts === 1 ? "" : "s"} in all.`;

/** For an answer without any tool call. */
export const reminder = `Your answer called no tool, so nothing happened. Answer with a tool call: print_playbook with the complete playbook as its argument "playbook".`;
