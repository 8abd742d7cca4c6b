import type { FailureReport } from "@microremed/catalogue";

/** MicroRemed's task in words: how a playbook is run, and what counts as repaired. */
export const question = (report: FailureReport): string => `# How your playbook is run
- With \`ansible-playbook -i inventory.ini remediation.yml\`, once, without anybody to answer a question.
- The inventory has the group \`k3s_control_plane\`: use \`hosts: k3s_control_plane\` and \`gather_facts: false\`.
- The connection is prepared: kubectl and the modules of the collection kubernetes.core reach the cluster there, with full rights over the workloads of the namespace ${report.namespace} and none outside of it. Do not set hosts, users, passwords, kubeconfigs or contexts.
- Use modules of kubernetes.core, or kubectl in \`ansible.builtin.shell\`. Nothing can be downloaded or installed.
- Every task must end by itself; give waits a timeout.

# What counts as repaired
- ${report.target ?? "Every service"} works again as before the failure, and goes on doing so: measured on the running system, not read from the playbook's result.
- The cause is removed, not hidden: resource limits, replica numbers, probes and configuration are what they were meant to be.
- Everything else in the namespace stays as it is. Prefer the repair that interrupts the users least; restart or recreate only what has to be.`;
