import { type Cluster, kinds } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { describe, expect, test } from "vitest";
import type { PlaybookRunner } from "../runner.types.ts";
import { playbookCases, type Summary } from "./cases.ts";

/** A runner under test, and the cluster that its playbooks change. */
export interface RunnerUnderTest extends AsyncDisposable {
  readonly runner: PlaybookRunner;
  /** With its administrator's rights. */
  readonly cluster: Cluster;
}

const namespace = "shop";
/** What follows from the last change has happened by then, cluster time, ms. */
const settleMs = 5000;

const workload = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace, labels: { app: "web" } },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "busybox:1.36", command: ["sleep", "1000000"] }] },
    },
  },
};

async function prepare(cluster: Cluster): Promise<void> {
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  const settings = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace } };
  await cluster.create({ ...settings, data: { colour: "green" } });
  await cluster.create(workload);
  await cluster.waitUntil(
    { what: "the workload", timeoutMs: 120_000, namespace, kinds: [kinds.deployment] },
    (view) => (view.list(kinds.deployment)[0]?.status?.availableReplicas === 1 ? true : undefined),
  );
}

async function summaryOf(cluster: Cluster): Promise<Summary> {
  const web = await cluster.get(kinds.deployment, namespace, "web");
  const settings = await cluster.get(kinds.configMap, namespace, "settings");
  const container = web?.spec?.template?.spec?.containers[0];
  const env = (container as { env?: readonly { name: string; value: string }[] } | undefined)?.env ?? [];
  const { app: _app, ...labels } = web?.metadata.labels ?? {};
  return {
    replicas: web?.spec?.replicas,
    image: container?.image ?? "",
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    limits: container?.resources?.limits ?? {},
    settings: settings?.["data"],
    revision: web?.metadata.annotations?.["deployment.kubernetes.io/revision"] ?? "",
    labels,
  };
}

/**
 * What every runner does: the same playbooks leave the same objects behind. `only` names the cases that are tried, for a
 * runner that differs from another one in where Ansible runs alone. Throws if no case has one of the names.
 */
export function testPlaybookRunner(
  name: string,
  create: () => Promise<RunnerUnderTest>,
  only: readonly string[] = playbookCases.map((one) => one.name),
): void {
  const missing = only.filter((wanted) => !playbookCases.some((one) => one.name === wanted));
  if (missing.length > 0) throw new Error(`no case of a playbook runner is named ${missing.join(", ")}`);
  describe(name, () => {
    test.each(playbookCases.filter((one) => only.includes(one.name)))(
      "$name",
      async ({ tasks, status, leaves }) => {
        await using under = await create();
        const { cluster, runner } = under;
        await prepare(cluster);
        const before = await summaryOf(cluster);
        const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly: false });
        const playbook = `- hosts: k3s_control_plane\n  gather_facts: false\n  become: yes\n  tasks:\n${tasks.replace(/^/gm, "    ")}\n`;
        await using _hold = await cluster.clock.hold();
        const execution = await runner({ playbook, kubeconfig, timeoutMs: 240_000, log: silentLogger });
        expect(execution.status, execution.output).toBe(status);
        await cluster.clock.sleep(settleMs);
        const after = await summaryOf(cluster);
        // How many roll-outs there were is a matter of time, unless the playbook waited for each.
        expect(after).toEqual({ ...before, revision: after.revision, ...leaves });
      },
    );

    test("what is no playbook is rejected, and so is what the agent may not do refused by the cluster", async () => {
      await using under = await create();
      const { cluster, runner } = under;
      await prepare(cluster);
      const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly: false });
      const run = { kubeconfig, timeoutMs: 120_000, log: silentLogger };
      expect(await runner({ ...run, playbook: "just text" })).toMatchObject({
        status: "rejected",
        rule: "playbook",
      });
      const elsewhere = `- {hosts: all, gather_facts: false, tasks: [{k8s: {kind: ConfigMap, name: x, namespace: default, definition: {data: {a: b}}}}]}`;
      const { status, output } = await runner({ ...run, playbook: elsewhere });
      expect(status).toBe("failed");
      expect(output).toMatch(/forbidden/i);
    });
  });
}
