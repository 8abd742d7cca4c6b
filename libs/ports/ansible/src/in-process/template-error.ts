import { type AppError, terminal } from "@microremed/core";

/** What Ansible itself would say of a template: the playbook's mistake, for which its task fails. */
export class TemplateError extends Error {}

/** What Ansible can do and the interpreter cannot: the harness's fault, never the playbook author's. */
export function notInterpreted(what: string): AppError {
  return terminal(
    "not-simulated",
    `playbooks in process cannot use ${what}; run this one with ansible-playbook, or in a simpler way`,
  );
}
