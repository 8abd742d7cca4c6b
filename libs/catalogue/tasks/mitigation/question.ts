import type { Acting, FailureReport } from "@microremed/catalogue";

/** MicroRemed's task in words: how the system is changed, and what counts as repaired. */
export const question = (report: FailureReport, acting: Acting): string => `${how[acting](report)}

# What counts as repaired
- ${report.target ?? "Every service"} works again as before the failure, and goes on doing so: measured on the running system, not read from ${results[acting]}.
- The cause is removed, not hidden: resource limits, replica numbers, probes and configuration are what they were meant to be.
- Everything else in the namespace stays as it is. Prefer the repair that interrupts the users least; restart or recreate only what has to be.`;

const results: Readonly<Record<Acting, string>> = {
  playbook: "the playbook's result",
  commands: "the commands' results",
};

const rights = ({ namespace }: FailureReport): string =>
  `with full rights over the workloads of the namespace ${namespace} and none outside of it`;

const how: Readonly<Record<Acting, (report: FailureReport) => string>> = {
  playbook: (report) => `# How your playbook is run
- With \`ansible-playbook -i inventory.ini remediation.yml\`, once, without anybody to answer a question.
- The inventory has the group \`k3s_control_plane\`: use \`hosts: k3s_control_plane\` and \`gather_facts: false\`.
- The connection is prepared: kubectl and the modules of the collection kubernetes.core reach the cluster there, ${rights(report)}. Do not set hosts, users, passwords, kubeconfigs or contexts.
- Use modules of kubernetes.core, or kubectl in \`ansible.builtin.shell\`. Nothing can be downloaded or installed.
- Every task must end by itself; give waits a timeout.`,
  commands: (report) => `# How your commands are run
- In a shell whose kubectl reaches the cluster, ${rights(report)}. Do not set kubeconfigs or contexts.
- Nothing can be downloaded or installed.
- Every command must end by itself; give waits a timeout.`,
};
