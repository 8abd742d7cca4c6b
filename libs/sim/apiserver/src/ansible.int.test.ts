import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startTestApi } from "./testing/test-api.ts";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "shop" },
  spec: {
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "main", image: "nginx:1.27" }] },
    },
  },
};
const about = { kind: "Deployment", api_version: "apps/v1", name: "web", namespace: "shop" };
const limits = { name: "main", resources: { limits: { cpu: "500m" } } };

const tasks = [
  { "kubernetes.core.k8s": { state: "present", api_version: "v1", kind: "Namespace", name: "shop" } },
  { "kubernetes.core.k8s": { state: "present", definition: deployment }, register: "first" },
  { "kubernetes.core.k8s": { state: "present", definition: deployment }, register: "again" },
  {
    "kubernetes.core.k8s": {
      state: "patched",
      ...about,
      definition: { spec: { template: { spec: { containers: [limits] } } } },
    },
  },
  { "kubernetes.core.k8s_scale": { ...about, replicas: 4, wait: false } },
  { "kubernetes.core.k8s_info": about, register: "info" },
  {
    "ansible.builtin.assert": {
      that: [
        "first.changed",
        "not again.changed",
        "info.resources[0].spec.replicas == 4",
        "info.resources[0].spec.template.spec.containers[0].image == 'nginx:1.27'",
        "info.resources[0].spec.template.spec.containers[0].resources.limits.cpu == '500m'",
      ],
    },
  },
  { "kubernetes.core.k8s": { state: "absent", ...about } },
];

test("serves kubernetes.core: present twice, patched, scaled, read and absent", async () => {
  await using cluster = await startTestApi();
  const playbook = join(cluster.dir, "play.yml");
  const play = {
    hosts: "localhost",
    connection: "local",
    gather_facts: false,
    vars: { ansible_python_interpreter: "/usr/bin/python3" },
    tasks,
  };
  await writeFile(playbook, JSON.stringify([play]));
  const { code, stdout, stderr } = await cluster.run("ansible-playbook", ["-i", "localhost,", playbook]);
  expect(stdout + stderr).toContain("ok=8 ");
  expect(code).toBe(0);
  expect(cluster.store.list({ group: "apps", resource: "deployments" })).toEqual([]);
});
