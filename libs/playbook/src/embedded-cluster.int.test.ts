import { silentLogger } from "@microremed/core";
import { startSimCluster } from "@microremed/simcluster";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runPlaybook } from "./run-playbook.ts";
import { runProbe } from "./run-probe.ts";

let kubeconfig = "";
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
beforeAll(async () => {
  const options = { name: "embedded", seed: 1, timeScale: 1, environments: [] };
  kubeconfig = stack.use(await startSimCluster(options)).kubeconfig;
});

test("modules of kubernetes.core and kubectl reach the cluster, also by k3s's own kubeconfig", async () => {
  const playbook = `
- name: repair
  hosts: k3s_control_plane
  become: true
  gather_facts: false
  environment:
    KUBECONFIG: /etc/rancher/k3s/k3s.yaml
  tasks:
    - name: by the k3s kubeconfig
      kubernetes.core.k8s:
        kubeconfig: /etc/rancher/k3s/k3s.yaml
        definition: {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
    - name: by the environment
      kubernetes.core.k8s:
        definition:
          apiVersion: v1
          kind: ConfigMap
          metadata: {name: settings, namespace: shop}
          data: {colour: green}
    - name: by kubectl
      shell: kubectl get configmap settings -n shop -o jsonpath='{.data.colour}'
      register: colour
    - assert: {that: colour.stdout == "green"}
`;
  const execution = await runPlaybook({ playbook, kubeconfig, timeoutMs: 60_000, log: silentLogger });
  expect(execution.output).toMatch(/k3s-control-plane +: ok=4 +changed=3 .*failed=0/);
  expect(execution.status).toBe("ok");

  const command = "kubectl get configmaps -n shop -o name | grep settings";
  const reply = await runProbe({ command, kubeconfig, timeoutMs: 30_000, log: silentLogger });
  expect(reply).toEqual({ status: "ok", exitCode: 0, output: "configmap/settings\n" });
});
