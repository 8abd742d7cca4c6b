/**
 * The inventory that every playbook sees. The group and the variables are those that playbooks for MicroRemed count
 * on; `localhost` is Ansible's implicit one, so that `hosts: all` runs once. `ansible_become` wins over a play's
 * `become`: a run already has all the rights there are.
 */
export const inventory = `[k3s_control_plane]
k3s-control-plane

[all:vars]
ansible_connection=local
ansible_python_interpreter=/usr/bin/python3
ansible_become=false
`;

/** Ansible's settings for a run with this home directory. */
export function ansibleConfig(home: string): string {
  return `[defaults]
inventory = inventory.ini
local_tmp = ${home}/.ansible/tmp
remote_tmp = ${home}/.ansible/tmp
forks = 4
interpreter_python = /usr/bin/python3
host_key_checking = False
retry_files_enabled = False
nocolor = True
nocows = True
localhost_warning = False
deprecation_warnings = False
`;
}

/** What Ansible and its Kubernetes modules find their files by. */
export function ansibleEnvironment(home: string): Record<string, string> {
  return { K8S_AUTH_KUBECONFIG: `${home}/.kube/config`, ANSIBLE_CONFIG: `${home}/ansible.cfg` };
}
