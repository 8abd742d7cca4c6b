import { runPlaybook } from "@microremed/ansible/sandboxed";
import { silentLogger } from "@microremed/core";
import { runProbe, runTelemetry } from "@microremed/kubectl/sandboxed";
import { sandboxesHere } from "@microremed/sandbox/testing";
import { startSimCluster } from "@microremed/simcluster";
import { dump, load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";

const { best: sandbox } = await sandboxesHere();
/** No test here is about a deadline: on a machine with much else to do a module takes half a minute. */
const timeoutMs = 300_000;
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
  const execution = await runPlaybook({
    playbook,
    kubeconfig,
    timeoutMs,
    log: silentLogger,
    sandbox,
  });
  expect(execution.output).toMatch(/k3s-control-plane +: ok=4 +changed=3 .*failed=0/);
  expect(execution.status).toBe("ok");

  const command = "kubectl get configmaps -n shop -o name | grep settings";
  const reply = await runProbe({ command, kubeconfig, timeoutMs: 30_000, sandbox });
  expect(reply).toEqual({ status: "ok", exitCode: 0, output: "configmap/settings\n" });
});

test("telemetry returns logs, metrics, events and topology of the kubeconfig's namespace", async () => {
  const playbook = `
- hosts: k3s_control_plane
  gather_facts: false
  tasks:
    - kubernetes.core.k8s:
        definition: {apiVersion: v1, kind: Namespace, metadata: {name: field}}
    - kubernetes.core.k8s:
        namespace: field
        wait: true
        wait_timeout: 60
        definition:
          apiVersion: apps/v1
          kind: Deployment
          metadata: {name: cart}
          spec:
            selector: {matchLabels: {app: cart}}
            template:
              metadata: {labels: {app: cart}}
              spec:
                containers:
                  - {name: server, image: busybox, command: [sh, -c, echo hello; sleep 1000000], env: [{name: DB, value: "redis:6379"}]}
    - kubernetes.core.k8s:
        namespace: field
        definition:
          - {apiVersion: v1, kind: Service, metadata: {name: cart}, spec: {selector: {app: cart}, ports: [{port: 80}]}}
          - {apiVersion: v1, kind: Service, metadata: {name: redis}, spec: {selector: {app: redis}, ports: [{port: 6379}]}}
`;
  const done = await runPlaybook({ playbook, kubeconfig, timeoutMs, log: silentLogger, sandbox });
  expect(done.output).toContain("failed=0");
  const field = inNamespace("field");
  const ask = (probe: Parameters<typeof runTelemetry>[0]["probe"]) =>
    runTelemetry({ probe, kubeconfig: field, timeoutMs, sandbox });

  expect(await ask({ kind: "logs", of: "deployment/cart", previous: false, lines: 5 })).toMatchObject({
    status: "ok",
    output: expect.stringContaining("hello"),
  });
  expect((await ask({ kind: "events", of: "deployment/cart" })).output).toMatch(/ScalingReplicaSet.*cart/);
  expect((await ask({ kind: "topology" })).output).toBe(
    [
      "service cart (addresses: 1 up, 0 down) -> deployment/cart (1/1 ready); configured to call redis",
      "service redis (addresses: 0 up, 0 down) -> no workload",
    ].join("\n"),
  );
  expect((await ask({ kind: "metrics" })).output).toMatch(/CPU|metrics not available/i);
  expect(await ask({ kind: "logs", of: "deployment/nobody", previous: false, lines: 5 })).toMatchObject({
    status: "failed",
    output: expect.stringContaining("not found"),
  });
});

/** The kubeconfig of an arena's agent names its namespace. */
function inNamespace(namespace: string): string {
  const config = load(kubeconfig) as { contexts: { context: Record<string, unknown> }[] };
  for (const { context } of config.contexts) context["namespace"] = namespace;
  return dump(config);
}
