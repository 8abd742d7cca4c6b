import type { Feedback } from "@microremed/contracts";
import type { FailureReport } from "../../failure-report.ts";
import { situation } from "../shared/situation.ts";
import { executionRole } from "./execution-agent.ts";
import { probeAgent, probeRole } from "./probe-agent.ts";
import { verificationRole } from "./verification-agent.ts";

export const system = (told: Feedback): string =>
  `You are the coordinator of a team that repairs microservice systems on Kubernetes. ${probeRole}, ${executionRole}${verificationRole[told]}. You decide what to look at, and you write the playbooks.`;

export const task = (
  report: FailureReport,
  limits: { maxAttempts: number; maxProbes: number; probeSeconds: number },
  told: Feedback,
): string => `${situation(report)}

# Your task
Write one complete Ansible playbook that repairs the failure, and hand it in by calling print_playbook.
${probeAgent(limits)}
${again(told)}, up to ${limits.maxAttempts} attempt${limits.maxAttempts === 1 ? "" : "s"} in all.`;

function again(told: Feedback): string {
  if (told === "oracle")
    return "If the system has not recovered afterwards, you get what the playbook printed and may try again";
  return "If nothing is to be repaired, say so without calling a tool. After a playbook you get what it printed and may hand in another one";
}
