/** A playbook of one shell task: the cheapest that runs kubectl. A command may have several lines. */
export function shellPlaybook(title: string, script: readonly string[]): string {
  return `---
- name: ${title}
  hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - name: ${title}
      ansible.builtin.shell: |
${["set -e", ...script.flatMap((command) => command.split("\n"))].map((line) => `        ${line}`).join("\n")}
`;
}
