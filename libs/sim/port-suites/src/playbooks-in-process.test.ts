import { createInProcessRunner } from "@microremed/ansible/in-process";
import { kinds } from "@microremed/cluster";
import { createInProcessClusters } from "@microremed/cluster/in-process";
import { silentLogger } from "@microremed/core";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";

async function aRange() {
  const api = createLocalCluster({ seed: 1, environments: [] });
  const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
  const cluster = await clusters.get("sim");
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  const kubeconfig = await cluster.agentKubeconfig("shop", { readOnly: false });
  const runner = createInProcessRunner(clusters.open);
  const run = (tasks: string, more = {}) =>
    runner({
      playbook: `- hosts: all\n  gather_facts: false\n  tasks:\n${tasks.replace(/^/gm, "    ")}\n`,
      kubeconfig,
      timeoutMs: 60_000,
      log: silentLogger,
      ...more,
    });
  return { cluster, run, [Symbol.dispose]: () => api[Symbol.dispose]() };
}

const make = "- k8s: {kind: ConfigMap, name: made, namespace: shop, definition: {data: {a: b}}}";

test.each([
  ["a module", "- ansible.builtin.copy: {content: x, dest: /tmp/x}"],
  ["a keyword of a task", "- shell: echo hi\n  async: 10"],
  ["a handler", "- shell: echo hi\n  notify: restarter"],
])("%s that is not interpreted is the harness's error, and nothing was run", async (_what, tasks) => {
  using range = await aRange();
  await expect(range.run(`${make}\n${tasks}`)).rejects.toMatchObject({
    code: "not-simulated",
    severity: "terminal",
  });
  expect(await range.cluster.get(kinds.configMap, "shop", "made")).toBeUndefined();
});

test.each([
  ["a filter", "- debug: {msg: \"{{ 'x' | b64encode }}\"}"],
  ["a command of kubectl", "- shell: kubectl drain node-1 || true"],
  ["a flag of kubectl", "- shell: kubectl get pods --chunk-size=5; true"],
])("%s that is not known is the harness's error, whatever the playbook makes of it", async (_what, tasks) => {
  using range = await aRange();
  await expect(range.run(tasks)).rejects.toMatchObject({ code: "not-simulated" });
});

test.each([
  ["a command", "kubectl frobnicate", 'unknown command \\"frobnicate\\" for \\"kubectl\\"'],
  ["a subcommand", "kubectl rollout redo deployment/web", 'unknown command \\"redo deployment/web\\"'],
  ["a flag", "kubectl get pods --frob=1", "unknown flag: --frob"],
  ["a letter", "kubectl get pods -y", "unknown shorthand flag: 'y' in -y"],
])("%s that kubectl does not have either is the playbook's mistake", async (_what, command, said) => {
  using range = await aRange();
  const { status, output } = await range.run(`- shell: ${JSON.stringify(command)}`);
  expect(status).toBe("failed");
  expect(output).toContain(said);
});

test("a playbook ends when its time of the cluster is up", async () => {
  using range = await aRange();
  const before = await range.cluster.clock.now();
  for (const tasks of [
    "- pause: {minutes: 60}",
    "- shell: sleep 3600",
    "- shell: 'false'\n  register: r\n  until: r.rc == 0\n  retries: 900\n  delay: 60",
  ])
    expect(await range.run(tasks)).toMatchObject({ status: "timed-out", exitCode: null });
  expect(await range.cluster.clock.now()).toBeLessThanOrEqual(before + 3 * 60_000);
});

test("nothing of a playbook reaches this machine", async () => {
  using range = await aRange();
  const { status, output } = await range.run(
    `- shell: cat /etc/hostname ${import.meta.filename}; ls /work /home; echo $NODE_OPTIONS; env\n  register: r\n- debug: {var: r.stdout}`,
  );
  expect(status).toBe("ok");
  expect(output).not.toContain("nothing of a playbook");
  expect(output).not.toContain(process.cwd());
});

test("who lost the right to the arena changes nothing", async () => {
  using range = await aRange();
  const mayPass = async () => {
    throw new Error("the arena has a new lease");
  };
  await expect(range.run(make, { mayPass })).rejects.toThrow(/a new lease/);
  expect(await range.cluster.get(kinds.configMap, "shop", "made")).toBeUndefined();
});
