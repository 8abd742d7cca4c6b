import { prepareArena } from "@microremed/arena";
import { arenaOn } from "@microremed/arena/testing";
import { declaredObjects } from "@microremed/catalogue";
import { type Cluster, type KubeObject, kinds } from "@microremed/cluster";
import { createInProcessClusters } from "@microremed/cluster/in-process";
import { createInProcessProber } from "@microremed/kubectl/in-process";
import { askCluster } from "@microremed/kubectl/over-cluster";
import { loadCatalogue } from "@microremed/registry";
import { createLocalCluster } from "@microremed/simcluster";
import { expect, test } from "vitest";

const catalogue = await loadCatalogue({ dirs: [] });
const environment = catalogue.environments.get("fleetcast-tidb");
const { namespace } = environment;
const api = createLocalCluster({ seed: 1, environments: [environment] });
const clusters = createInProcessClusters([{ name: "sim", api, adminToken: api.adminToken }]);
const cluster = await clusters.get("sim");
await prepareArena(arenaOn(cluster, environment), { redeploy: false, timeoutSeconds: 900 });
// What was created a minute ago has not been changed since.
await cluster.clock.sleep(60_000);
const prober = createInProcessProber(clusters.open);
const { signal } = new AbortController();
const log = { debug() {}, info() {}, warn() {}, error() {} } as never;

const resource = { apiVersion: "pingcap.com/v1alpha1", kind: "TidbCluster" };
const operator = "tidb-controller-manager";
/** Cluster time, ms, in which the operator has read it again, and what it made has followed. */
const followsMs = 25_000;

async function asAgent(command: string, readOnly = false): Promise<string> {
  const kubeconfig = await cluster.agentKubeconfig(namespace, { readOnly, concealed: true });
  const run = { kubeconfig, timeoutMs: 20_000, signal, log, command };
  const reply = await (readOnly ? prober.runProbe(run) : prober.runCommand(run));
  return reply.output;
}
const ask = (question: Parameters<typeof askCluster>[0]) =>
  askCluster(question, { cluster, namespace, timeoutMs: 10_000, signal });

const replicasOf = async (of: Pick<Cluster, "get"> = cluster): Promise<number | undefined> =>
  (await of.get(kinds.statefulSet, namespace, "basic-tidb"))?.spec?.replicas;

test("what the operator makes is what the environment declares, and belongs to the custom resource", async () => {
  const owner = (await cluster.get(resource, namespace, "basic"))?.metadata.uid;
  const made = declaredObjects({ ...environment, manifests: [] }, { namespace });
  expect(made.length).toBeGreaterThan(10);
  for (const { apiVersion, kind, metadata, ...declared } of made) {
    const live: KubeObject | undefined = await cluster.get({ apiVersion, kind }, namespace, metadata.name);
    expect(live, `${kind} ${metadata.name}`).toMatchObject(declared);
    expect(live?.metadata, `${kind} ${metadata.name}`).toMatchObject({
      labels: metadata.labels,
      ownerReferences: [{ kind: "TidbCluster", name: "basic", uid: owner, controller: true }],
    });
  }
});

test("agents read and change the custom resource, its workloads follow, and the tools show it", async () => {
  expect(await asAgent("kubectl get tc", true)).toMatch(/^NAME +READY .*\nbasic +True +Ready/);
  expect(await asAgent("kubectl get tidbclusters.pingcap.com -o name", true)).toBe(
    "tidbcluster.pingcap.com/basic\n",
  );
  expect(await asAgent("kubectl patch tidbcluster basic --type=merge -p '{}'", true)).toMatch(
    /not allowed|forbidden/i,
  );
  await asAgent(`kubectl patch tidbcluster basic --type=merge -p '{"spec":{"tidb":{"replicas":3}}}'`);
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(3);
  const described = await ask({ kind: "describe", of: "tidbcluster/basic" });
  expect(described.output).toMatch(/TidbCluster basic[\s\S]*replicas: 3/);
  const changes = await ask({ kind: "changes", sinceSeconds: 40 });
  expect(changes.output).toContain('"object":"tidbcluster/basic"');
  expect(changes.output).toContain("spec.tidb.replicas is now 3");
  await asAgent(`kubectl patch tidbcluster basic --type=merge -p '{"spec":{"tidb":{"replicas":2}}}'`);
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(2);
});

test("the operator takes back what is changed by hand, and makes again what is deleted", async () => {
  await asAgent("kubectl scale statefulset/basic-tidb --replicas=1; kubectl delete service basic-pd");
  expect(await replicasOf()).toBe(1);
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(2);
  expect(await cluster.get(kinds.service, namespace, "basic-pd")).toBeDefined();
});

test("without its rights, and without its pod, the operator brings nothing about", async () => {
  const rules = (await cluster.get(kinds.role, namespace, operator))?.["rules"];
  const setRules = (value: unknown) =>
    cluster.patch(kinds.role, namespace, operator, { type: "merge", body: { rules: value } });
  await setRules([]);
  await asAgent("kubectl scale statefulset/basic-tidb --replicas=1");
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(1);
  await setRules(rules);
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(2);

  await asAgent(`kubectl scale deployment/${operator} --replicas=0`);
  await cluster.clock.sleep(followsMs);
  await asAgent("kubectl scale statefulset/basic-tidb --replicas=1");
  await cluster.clock.sleep(followsMs);
  expect(await replicasOf()).toBe(1);
});

test("noises change nothing that the operator makes: it would take that back", () => {
  const isOperated = (name: string): boolean => environment.workloads[name]?.operated !== undefined;
  const on = catalogue.noises.all().filter(({ targets }) => targets?.(environment).some(isOperated));
  // An event, and a policy that is an object of its own, change nothing of it.
  expect(on.map(({ name }) => name)).toEqual(["network-policy-unused", "warning-event"]);
});
