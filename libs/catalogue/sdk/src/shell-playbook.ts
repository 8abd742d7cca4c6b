/** A playbook of one shell task: the cheapest that runs kubectl. */
export function shellPlaybook(title: string, script: readonly string[]): string {
  return `---
- name: ${title}
  hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - name: ${title}
      ansible.builtin.shell: |
${["set -e", ...script].map((line) => `        ${line}`).join("\n")}
`;
}
