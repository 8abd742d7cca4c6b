import type { Rule } from "../rule.ts";
import { isFields, type Step } from "../step.ts";

const here = new Set(["localhost", "127.0.0.1", "k3s-control-plane"]);
const byInventory =
  /^\{\{\s*(?:inventory_hostname|groups(?:\.|\[['"])k3s_control_plane(?:['"]\])?\[0\]|ansible_play_hosts\[0\])\s*\}\}$/;
const local = new Set(["local", "ansible.builtin.local", "smart"]);
const interpreters = new Set([
  "/usr/bin/python3",
  "auto",
  "auto_silent",
  "python3",
  "{{ ansible_playbook_python }}",
]);
const ofConnections =
  /^ansible_(?:connection|host|port|user|password|become\w*|ssh_\w+|sftp_\w+|scp_\w+|remote_tmp|shell_\w+|\w+_interpreter|pipelining|paramiko_\w+|docker_\w+|kubectl_\w+)$/;
const kubeconfigs = new Set([
  "/etc/rancher/k3s/k3s.yaml",
  "/root/.kube/config",
  "~/.kube/config",
  "$HOME/.kube/config",
]);
const clusterArguments = [
  "host",
  "api_key",
  "username",
  "password",
  "client_cert",
  "client_key",
  "ca_cert",
  "proxy",
];

/** Tasks run where the inventory says and talk to the arena's cluster. */
export const connections: Rule = (step, { policy }) => {
  if (policy.connections === "any") return undefined;
  const { fields } = step;
  const { delegate_to: delegate, connection, vars } = fields;
  if (delegate !== undefined && !here.has(String(delegate)) && !byInventory.test(String(delegate)))
    return `delegate_to: ${short(delegate)} leaves the inventory, whose hosts are k3s-control-plane and localhost`;
  if (connection !== undefined && !local.has(String(connection)))
    return `connection: ${short(connection)} leads out of the run; it is local`;
  return inVariables(vars) ?? inVariables(settingsOf(step)) ?? toCluster(step);
};

function inVariables(vars: unknown): string | undefined {
  for (const [name, value] of Object.entries(isFields(vars) ? vars : {})) {
    if (!ofConnections.test(name) || isDefault(name, value)) continue;
    return `the variable ${name} would change where and how tasks run`;
  }
  return undefined;
}

/** Values that change nothing, which models like to write. */
function isDefault(name: string, value: unknown): boolean {
  if (name === "ansible_connection") return local.has(String(value));
  if (name === "ansible_python_interpreter") return interpreters.has(String(value));
  return false;
}

function settingsOf({ module, args }: Step): unknown {
  return module === "ansible.builtin.set_fact" || module === "ansible.builtin.include_vars"
    ? args
    : undefined;
}

function toCluster({ module, args, fields }: Step): string | undefined {
  const defaults = Object.values(isFields(fields["module_defaults"]) ? fields["module_defaults"] : {});
  const all = [...(module?.startsWith("kubernetes.core.") ? [args] : []), ...defaults];
  for (const given of all.filter(isFields)) {
    const other = clusterArguments.find((name) => name in given);
    if (other !== undefined)
      return `the argument ${other} names another way to a cluster than the kubeconfig of the run`;
    const kubeconfig = given["kubeconfig"];
    if (typeof kubeconfig === "string" && !kubeconfig.includes("{{") && !kubeconfigs.has(kubeconfig))
      return `kubeconfig: ${short(kubeconfig)} is not the one of the run, ~/.kube/config`;
  }
  return undefined;
}

function short(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? "";
}
