import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kinds } from "@microremed/cluster";
import { execa } from "execa";
import { expect, test } from "vitest";
import { startTestCluster } from "../testing/start-cluster.ts";
import { inspectTarget } from "./inspect-target.ts";
import { createKubectl, type Kubectl } from "./kubectl.ts";
import { type PrepareOptions, prepareTarget } from "./prepare-target.ts";

test("prepares a cluster, says what it changed, and the second time changes nothing", async () => {
  await using target = await startTestCluster();
  await using stack = new AsyncDisposableStack();
  const out = await mkdtemp(join(tmpdir(), "microremed-out-"));
  stack.defer(() => rm(out, { recursive: true }));
  const kubectl = createKubectl(target.kubeconfig);
  const options: PrepareOptions = {
    kubectl,
    kubeconfig: target.kubeconfig,
    name: "staging",
    out,
    namespaces: ["shop-1", "shop-2"],
    podsPerArena: 100,
    dryRun: false,
  };

  const before = await inspectTarget(kubectl);
  expect(before.checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["accounts", "rights"]);
  const planned = await prepareTarget({ ...options, dryRun: true });
  expect(planned.changes.join("\n")).toMatch(
    /accounts and rights.*\nnamespace shop-1.*\n.*shop-2.*\nkubeconfig /s,
  );
  expect(await target.cluster.get(kinds.namespace, undefined, "microremed")).toBeUndefined();

  const { changes, state } = await prepareTarget(options);
  expect(state.checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(changes).toContain("serviceaccount/injector created");
  expect(changes).toContain("resourcequota/pod-count created");
  expect(await prepareTarget(options)).toMatchObject({ changes: [] });

  const verifier = join(out, "verifier", "staging");
  expect(await readFile(verifier, "utf8")).not.toContain("embedded-admin");
  const as = (...args: string[]) => execa("kubectl", ["--kubeconfig", verifier, ...args], { reject: false });
  expect((await as("get", "pods", "-A")).exitCode).toBe(0);
  expect((await as("delete", "namespace", "shop-1")).stderr).toContain("microremed:verifier");

  const executor = join(out, "executor", "staging");
  const may = async (...words: readonly string[]): Promise<string> => {
    const args = ["--kubeconfig", executor, "-n", "shop-1", "auth", "can-i", ...words];
    return (await execa("kubectl", args, { reject: false })).stdout;
  };
  const open = [
    "list replicasets.apps",
    "get services",
    "list events",
    "delete events",
    "update deployments",
  ];
  const closed = [
    "get secrets",
    "create pods",
    "delete pods",
    "patch deployments",
    "create pods --subresource=exec",
  ];
  const more = ["list roles", "update nodes", "delete namespaces", "get services --subresource=proxy"];
  for (const right of open) expect([right, await may(...right.split(" "))]).toEqual([right, "yes"]);
  for (const right of [...closed, ...more])
    expect([right, await may(...right.split(" "))]).toEqual([right, "no"]);
});

test("Chaos Mesh comes from manifests that were rendered elsewhere, into the namespace that helm would have made", async () => {
  await using target = await startTestCluster();
  await using stack = new AsyncDisposableStack();
  const out = await mkdtemp(join(tmpdir(), "microremed-out-"));
  stack.defer(() => rm(out, { recursive: true }));
  const manifests = join(out, "chaos-mesh.yaml");
  const part = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "part", namespace: "chaos-mesh" } };
  await writeFile(manifests, JSON.stringify(part));
  const kubectl = createKubectl(target.kubeconfig);
  const isApplied = async (): Promise<boolean> =>
    (await target.kubectl(["get", "configmap", "part", "-n", "chaos-mesh"])).code === 0;
  await target.kubectl(["delete", "namespace", "chaos-mesh", "--ignore-not-found"]);
  /** The cluster as it would be without Chaos Mesh, until the manifests are there. */
  const bare: Kubectl = async (args, input) => {
    const answer = await kubectl(args, input);
    if (args[0] !== "api-versions" || (await isApplied())) return answer;
    return answer
      .split("\n")
      .filter((line) => !line.startsWith("chaos-mesh.org/"))
      .join("\n");
  };
  const options = { kubeconfig: target.kubeconfig, name: "staging", out, namespaces: [], podsPerArena: 1 };
  const { changes } = await prepareTarget({
    ...options,
    kubectl: bare,
    chaosMeshManifests: manifests,
    dryRun: false,
  });
  expect(changes[0]).toBe(
    `Chaos Mesh 2.7.3 for containerd at /run/containerd/containerd.sock, from ${manifests}`,
  );
  expect(await isApplied()).toBe(true);
});

test("without Chaos Mesh and helm it says what to do, in one sentence", async () => {
  const answers: Readonly<Record<string, string>> = {
    get: JSON.stringify({
      major: "1",
      minor: "31",
      gitVersion: "v1.31.4+k3s1",
      items: [
        {
          metadata: { name: "n" },
          status: {
            nodeInfo: { containerRuntimeVersion: "containerd://1.7", kubeletVersion: "v1.31.4+k3s1" },
            conditions: [{ type: "Ready", status: "True" }],
          },
        },
      ],
    }),
    "api-versions": "v1\nmetrics.k8s.io/v1beta1",
  };
  const bare: PrepareOptions = {
    kubectl: async ([verb = ""]) => answers[verb] ?? "",
    kubeconfig: "none",
    name: "x",
    out: "/nonexistent",
    namespaces: [],
    podsPerArena: 1,
    dryRun: true,
  };
  await using stack = new AsyncDisposableStack();
  const bin = await mkdtemp(join(tmpdir(), "microremed-bin-"));
  stack.defer(() => rm(bin, { recursive: true }));
  const path = process.env["PATH"];
  stack.defer(() => {
    process.env["PATH"] = path;
  });
  process.env["PATH"] = bin;
  for (const dryRun of [true, false])
    await expect(prepareTarget({ ...bare, dryRun })).rejects.toThrow(
      /helm is not installed.*--chaos-mesh-manifests/,
    );
  await symlink("/bin/true", join(bin, "helm"));
  const { changes } = await prepareTarget(bare);
  expect(changes[0]).toBe("Chaos Mesh 2.7.3 for containerd at /run/k3s/containerd/containerd.sock, by helm");
});

test.each([
  ["served", "metrics.k8s.io/v1beta1", "", true],
  ["installed, but gives no answer", "", "apiservice.apiregistration.k8s.io/v1beta1.metrics.k8s.io", true],
  ["not served", "", "", false],
])(
  "metrics that are %s are installed only where there are none",
  async (found, served, registered, isThere) => {
    const kubectl: Kubectl = async ([verb, kind, name]) => {
      if (verb === "api-versions") return `v1\n${served}`;
      if (kind === "apiservices") return registered;
      return JSON.stringify(name === "/version" ? { gitVersion: "v1.31.4" } : { items: [] });
    };
    const { checks, hasMetrics } = await inspectTarget(kubectl);
    expect(hasMetrics).toBe(isThere);
    expect(checks.find(({ name }) => name === "metrics")).toMatchObject({ ok: served !== "", found });
  },
);

test.each([
  ["v1.26.5", "", true],
  ["v1.31.4+k3s1", "31+", true],
  ["v1.30.8-gke.1128000", "30", true],
  ["v1.24.17", "24", false],
  ["v2.0.0", "0", true],
])(
  "takes the server's version from %s, whatever its minor field says",
  async (gitVersion, minor, expected) => {
    const { checks } = await inspectTarget(async ([, , path]) =>
      JSON.stringify(path === "/version" ? { major: "", minor, gitVersion } : { items: [] }),
    );
    expect(checks.find(({ name }) => name === "api server")?.ok).toBe(expected);
  },
);
