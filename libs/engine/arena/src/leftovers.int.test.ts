import { kinds } from "@microremed/cluster";
import { describeDifference, differenceOf, readInventory, readRecord } from "@microremed/inventory";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, kubectlAs, startWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const { environments } = catalogue;

const micro = environments.get("simple-micro");
const target = "hello-service";

const selector = { matchLabels: { app: target } };
const pod = { containers: [{ name: "c", image: "busybox:1.35", command: ["sleep", "3600"] }] };
const jobTemplate = { spec: { template: { spec: { ...pod, restartPolicy: "Never" } } } };

/** What a remedy may leave behind, each applied with the agent's own credentials. */
const leftovers = [
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "grow" },
    spec: {
      minReplicas: 3,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target },
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "closed" },
    spec: { podSelector: selector, policyTypes: ["Ingress"] },
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "again" },
    spec: { schedule: "* * * * *", jobTemplate },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "held", finalizers: ["example.com/hold"] },
    data: { a: "b" },
  },
  {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { name: "elsewhere" },
    subsets: [{ addresses: [{ ip: "10.9.9.9" }], ports: [{ port: 80 }] }],
  },
  {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "parasite", labels: { app: target } },
    spec: pod,
  },
  {
    apiVersion: "chaos-mesh.org/v1alpha1",
    kind: "Schedule",
    metadata: { name: "mischief" },
    spec: {
      schedule: "@every 30s",
      type: "PodChaos",
      historyLimit: 1,
      concurrencyPolicy: "Forbid",
      podChaos: {
        action: "pod-kill",
        mode: "one",
        selector: { namespaces: [micro.namespace], labelSelectors: { app: target } },
      },
    },
  },
];

test("whatever a remedy leaves in its arena is gone before the next episode", async () => {
  await using world = await startWorld("leftovers", micro);
  const { cluster } = world;
  const arena = arenaOn(cluster, micro);
  const { namespace } = arena;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const agent = await kubectlAs(await cluster.agentKubeconfig(namespace, { readOnly: false }));
  const succeed = async (line: string, input?: unknown) => {
    const said = await agent(line, input);
    expect(said, `${line}: ${said.output}`).toMatchObject({ code: 0 });
  };

  for (const object of leftovers) await succeed("create --validate=false -f -", object);
  const patch = (kind: string, body: unknown) =>
    succeed(`patch ${kind} ${target} --type merge -p ${JSON.stringify(body)}`);
  await patch("service", { metadata: { finalizers: ["example.com/hold"] } });
  await patch("deployment", { metadata: { labels: { touched: "yes" } } });
  const pods = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` });
  const resized = pods.find(({ metadata }) => metadata.name !== "parasite");
  const containers = resized?.spec?.containers.map((container) => ({
    ...container,
    resources: { ...container.resources, limits: { ...container.resources?.limits, memory: "900Mi" } },
  }));
  // A neighbour that may take a day to end, and a pod of it that is to end; its program waits for the signal to kill.
  const lasting = { terminationGracePeriodSeconds: 86_400 };
  await succeed(
    `patch deployment time-service --type merge -p ${JSON.stringify({ spec: { template: { spec: lasting } } })}`,
  );
  const path = `/api/v1/namespaces/${namespace}/pods/${resized?.metadata.name}/resize`;
  await succeed(`replace --raw ${path} -f -`, { ...resized, spec: { ...resized?.spec, containers } });
  const config = (await cluster.list(kinds.configMap, { namespace })).find(
    ({ metadata }) => metadata.name !== "held" && metadata.name !== "kube-root-ca.crt",
  );
  if (config) await succeed(`patch configmap ${config.metadata.name} --type merge -p {"data":{"x":"y"}}`);
  // An owner that is none hides nothing, and the garbage collector does not take what is ours.
  const held = await cluster.get(kinds.configMap, namespace, "held");
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "held", uid: held?.metadata.uid };
  await patch("deployment", { metadata: { ownerReferences: [{ ...owner, controller: true }] } });

  expect(await restoreArena(arena, { failure: "none", target, timeoutSeconds: 900 })).toMatchObject({
    how: "reset",
  });
  const record = await readRecord(cluster, namespace);
  const live = await readInventory(cluster, namespace);
  expect(describeDifference(differenceOf(record?.objects ?? [], live))).toBe("");
  for (const { apiVersion, kind, metadata } of leftovers) {
    expect(await cluster.get({ apiVersion, kind }, namespace, metadata.name), kind).toBeUndefined();
  }
  const deployment = await cluster.get(kinds.deployment, namespace, target);
  expect(deployment?.metadata.labels).not.toHaveProperty("touched");
  expect(deployment?.metadata.ownerReferences ?? []).toEqual([]);
  expect((await cluster.get(kinds.service, namespace, target))?.metadata.finalizers ?? []).toEqual([]);
  expect(await cluster.list(kinds.pod, { namespace })).toHaveLength(Object.keys(micro.workloads).length);
  const [replaced] = await cluster.list(kinds.pod, { namespace, labelSelector: `app=${target}` });
  expect(replaced?.spec?.containers[0]?.resources?.limits?.["memory"]).not.toBe("900Mi");
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: false });
});

test("outside of its arena a remedy can leave nothing", async () => {
  await using world = await startWorld("outside", micro);
  const { cluster } = world;
  const arena = arenaOn(cluster, micro);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  await cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
  const agent = await kubectlAs(await cluster.agentKubeconfig(arena.namespace, { readOnly: false }));
  const refused = [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "mine" } },
    ...["other", "microremed", "kube-system"].map((namespace) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "mine", namespace },
    })),
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "mine" },
      webhooks: [],
    },
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "mine", namespace: arena.namespace },
      rules: [],
    },
  ];
  for (const object of refused) {
    const said = await agent("create --validate=false -f -", object);
    expect(said.code, `${object.kind}: ${said.output}`).not.toBe(0);
    expect(said.output).toMatch(/forbidden|no matches for kind|doesn't have a resource type/i);
  }
  for (const line of ["label namespace other a=b", "cordon worker-1", "delete node worker-1"]) {
    expect((await agent(line)).code, line).not.toBe(0);
  }
});
