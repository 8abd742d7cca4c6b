import { clipMiddle } from "@microremed/core";

/** Most characters of a playbook run's output that go into a prompt. */
const maxOutput = 6_000;

export const executionRole = "an execution agent runs the Ansible playbooks that you write";

/** What the execution agent reports of the last playbook. */
export const executionReport = (printed: string): string => `Execution of the last playbook:
${clipMiddle(printed.trimEnd(), maxOutput) || "(it printed nothing)"}`;
