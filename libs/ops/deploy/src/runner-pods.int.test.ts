import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { type KubeObject, kinds } from "@microremed/cluster";
import { runnerPod } from "@microremed/sandbox/pods";
import { expect, test } from "vitest";
import { k8sRoot, runnerNamespace } from "./places.ts";
import type { Container, PodSpec } from "./pods/pod.types.ts";
import { judgeOf } from "./policies/network-policies.ts";
import { renderOverlay } from "./render-overlay.ts";
import { houseRuleViolations } from "./testing/house-rules.ts";
import { restrictedViolations } from "./testing/pod-security.ts";
import { startTestCluster } from "./testing/start-cluster.ts";

const withRunners = ["dev", "prod", "cs-cluster"] as const;
const executorOf = (objects: readonly KubeObject[]): KubeObject => {
  const found = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "executor");
  if (!found) throw new TypeError("there is no executor");
  return found;
};
const containerOf = (object: KubeObject): Container => {
  const [container] = (object["spec"] as { template: { spec: PodSpec } }).template.spec.containers;
  if (!container) throw new TypeError("it has no container");
  return container;
};
const variable = (container: Container, name: string): string | undefined =>
  container.env?.find((one) => one.name === name)?.value;

const settings = {
  namespace: runnerNamespace,
  image: "microremed/executor:0.1.0",
  owner: "executor-1",
  warm: 2,
  most: 8,
  cpu: "1",
  memory: "1Gi",
  runtimeClass: undefined,
  tolerations: [],
  nodeSelector: {},
  imagePullSecrets: [],
  network: "enforced",
  unreachable: [],
} as const;
const pod = (name: string) =>
  runnerPod(settings, { name, names: ["kubernetes.default.svc"], deadlineSeconds: 600, user: 1_000_000 });

test.each(withRunners)(
  "%s: runner pods have the executor's image, and nothing falls back to none",
  async (overlay) => {
    const container = containerOf(executorOf(await renderOverlay(join(k8sRoot, "overlays", overlay))));
    expect(variable(container, "RUNNER_IMAGE")).toBe(container.image);
    expect(variable(container, "RUNNER_KUBECONFIG")).toBe("/etc/microremed/runners/kubeconfig");
    expect(variable(container, "SANDBOX")).toBe("auto");
  },
);

test.each(withRunners)(
  "%s: executors make pods in that one namespace, and may do nothing else there",
  async (overlay) => {
    const objects = await renderOverlay(join(k8sRoot, "overlays", overlay));
    await using cluster = await startTestCluster();
    expect(await cluster.apply(objects)).toMatchObject({ code: 0, stderr: "" });
    const account = `system:serviceaccount:${executorOf(objects).metadata.namespace}:executor`;
    const can = async (...words: string[]): Promise<string> =>
      (await cluster.kubectl(["auth", "can-i", ...words, `--as=${account}`])).stdout;
    for (const verb of ["create", "get", "list", "patch", "delete"])
      expect(await can(verb, "pods", "-n", runnerNamespace), verb).toBe("yes");
    expect(await can("create", "pods/exec", "-n", runnerNamespace)).toBe("yes");
    for (const kind of ["secrets", "networkpolicies", "roles", "resourcequotas", "serviceaccounts/token"])
      expect(await can("create", kind, "-n", runnerNamespace), kind).toBe("no");
    expect(await can("create", "pods", "-n", "microremed-system")).toBe("no");
    expect(await can("get", "secrets", "-n", executorOf(objects).metadata.namespace ?? "")).toBe("no");
  },
);

test("a runner pod keeps Pod Security's restricted and our own rules, and its namespace takes it", async () => {
  const { spec } = pod("run-1");
  expect(restrictedViolations(spec as unknown as PodSpec)).toEqual([]);
  expect(houseRuleViolations(spec as unknown as PodSpec, { runsToItsEnd: true })).toEqual([]);
  await using cluster = await startTestCluster();
  const runners = await renderOverlay(join(k8sRoot, "base/runners"));
  expect(await cluster.apply(runners)).toMatchObject({ code: 0, stderr: "" });
  await cluster.cluster.create(pod("run-1"));
  const made = await cluster.cluster.get(kinds.pod, runnerNamespace, "run-1");
  // Admission has added nothing that would let it out.
  expect(made?.spec?.containers.map(({ resources }) => resources?.limits?.["memory"])).toEqual([
    "1Gi",
    "128Mi",
  ]);
  expect(made?.["spec"]).toMatchObject({ automountServiceAccountToken: false, dnsPolicy: "None" });
});

test("nothing goes out of a runner pod, and nothing comes in", async () => {
  const judge = judgeOf(await renderOverlay(join(k8sRoot, "overlays/prod")));
  const runner = {
    namespace: runnerNamespace,
    labels: { "app.kubernetes.io/name": "runner" },
    ip: "10.0.0.1",
    ports: {},
  };
  const executor = {
    namespace: "microremed-executor",
    labels: { "app.kubernetes.io/name": "executor" },
    ip: "10.0.0.2",
    ports: {},
  };
  const targets = [executor, { ip: "169.254.169.254" }, { ip: "10.96.0.1" }, { ...runner, ip: "10.0.0.3" }];
  for (const target of targets) expect(judge(runner, target, 443)).toBeDefined();
  expect(judge(executor, runner, 6443)).toBeDefined();
});

test("executor-sandbox takes the place of runner pods, with its two exceptions and no more", async () => {
  // Beside the others: kustomize takes no absolute paths.
  const dir = await mkdtemp(join(k8sRoot, "overlays", ".test-"));
  try {
    const kustomization = {
      apiVersion: "kustomize.config.k8s.io/v1beta1",
      kind: "Kustomization",
      namespace: "microremed-executor",
      resources: [relative(dir, join(k8sRoot, "base/executor"))],
      components: [relative(dir, join(k8sRoot, "components/executor-sandbox"))],
    };
    await writeFile(join(dir, "kustomization.yaml"), JSON.stringify(kustomization));
    const executor = executorOf(await renderOverlay(dir));
    expect(variable(containerOf(executor), "SANDBOX")).toBe("bubblewrap");
    const { spec } = (executor["spec"] as { template: { spec: PodSpec } }).template;
    expect(restrictedViolations(spec).sort()).toEqual(["procMount", "seccompProfile"]);
  } finally {
    await rm(dir, { recursive: true });
  }
});
