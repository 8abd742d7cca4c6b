/** A playbook that changes nothing. */
export function idlePlaybook(message: string): string {
  return `---
- name: Change nothing
  hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - name: Change nothing
      ansible.builtin.debug:
        msg: ${message}
`;
}
