import { kinds } from "@microremed/cluster";
import { isDamage } from "@microremed/contracts";
import { describeDifference, differenceOf, readInventory, readRecord } from "@microremed/inventory";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import type { ArenaContext } from "./arena.ts";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const { environments } = catalogue;

async function departures({ cluster, namespace }: ArenaContext): Promise<string> {
  const record = await readRecord(cluster, namespace);
  return describeDifference(differenceOf(record?.objects ?? [], await readInventory(cluster, namespace)));
}

const boutique = environments.get("online-boutique");

test("deploys once, finds it in order, and repairs whatever a playbook may have done", async () => {
  using world = openLocalWorld(boutique);
  const { cluster } = world;
  const arena = arenaOn(cluster, boutique);
  const { namespace } = arena;
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: true });
  expect(await departures(arena)).toBe("");
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: false });

  const command = { failure: "pod-fail", target: "cartservice", timeoutSeconds: 60 };
  const injected = await injectFailure(arena, command);
  if (injected.status !== "ok") throw new Error(injected.reason);
  const { baseline } = injected;
  // A second delivery of the command starts from a clean target again.
  expect(await injectFailure(arena, command)).toMatchObject({ status: "ok" });

  const meta = (name: string) => ({ name, namespace });
  const merge = (body: unknown) => ({ type: "merge" as const, body });
  await cluster.patch(kinds.deployment, namespace, "frontend", merge({ spec: { replicas: 3 } }));
  await cluster.patch(
    kinds.deployment,
    namespace,
    "adservice",
    merge({ metadata: { labels: { mine: "yes" } } }),
  );
  await cluster.patch(
    kinds.deployment,
    namespace,
    "emailservice",
    merge({
      spec: { template: { metadata: { annotations: { "kubectl.kubernetes.io/restartedAt": "now" } } } },
    }),
  );
  await cluster.patch(
    kinds.service,
    namespace,
    "cartservice",
    merge({ spec: { selector: { app: "nobody" } } }),
  );
  await cluster.delete(kinds.deployment, namespace, "paymentservice");
  await cluster.delete(kinds.service, namespace, "adservice");
  await cluster.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: meta("left-over"),
    data: { a: "b" },
  });
  await cluster.create({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: meta("frontend"),
    spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "frontend" } },
  });
  await cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: meta("bare"),
    spec: { containers: [{ name: "c", image: "busybox:1.35", command: ["sleep", "3600"] }] },
  });
  expect(await departures(arena)).not.toBe("");
  // Until the controllers have followed.
  await cluster.clock.sleep(5000);

  await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "hideout" } });
  const restored = await restoreArena(arena, { ...command, baseline, timeoutSeconds: 600 });
  expect(restored.how).toBe("reset");
  const damage = restored.damage?.changes
    .filter(isDamage)
    .map(({ where, what, object }) => `${where}: ${what} ${object}`)
    // Pods of the removed workload may still be on their way out.
    .filter((change) => !change.includes("Pod/paymentservice-"));
  expect([...new Set(damage)].sort()).toEqual([
    "arena: added ConfigMap/left-over",
    "arena: added HorizontalPodAutoscaler/frontend",
    "arena: added Pod/bare",
    "arena: changed Deployment/adservice",
    "arena: changed Deployment/frontend",
    "arena: changed Service/cartservice",
    "arena: removed Deployment/paymentservice",
    "arena: removed Service/adservice",
    "cluster: added Namespace/hideout",
  ]);
  expect(await departures(arena)).toBe("");
  expect(await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 })).toEqual({ deployed: false });
});

test("redeploys on request, or when the record is lost", async () => {
  const micro = environments.get("simple-micro");
  using world = openLocalWorld(micro);
  const arena = arenaOn(world.cluster, micro);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const uidOf = async () =>
    (await world.cluster.get(kinds.deployment, arena.namespace, "hello-service"))?.metadata.uid;
  const before = await uidOf();
  expect(await prepareArena(arena, { redeploy: true, timeoutSeconds: 900 })).toEqual({ deployed: true });
  const after = await uidOf();
  expect(after).not.toBe(before);
  await world.cluster.delete(kinds.secret, "microremed", `arena-${arena.namespace}`);
  const command = { failure: "cpu-stress", target: "hello-service", timeoutSeconds: 600 };
  expect(await restoreArena(arena, command)).toMatchObject({ how: "redeployed" });
  expect(await uidOf()).not.toBe(after);
});

test("never touches namespaces of others", async () => {
  const micro = environments.get("simple-micro");
  using world = openLocalWorld(micro);
  const prepare = (namespace: string) =>
    prepareArena(arenaOn(world.cluster, micro, namespace), { redeploy: true, timeoutSeconds: 60 });
  await expect(prepare("kube-system")).rejects.toThrow(/namespace kube-system .* choose another/);
  await world.cluster.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } });
  await world.cluster.create({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "precious", namespace: "shop" },
  });
  await expect(prepare("shop")).rejects.toThrow(/holds 1 objects .*ConfigMap\/precious/);
  expect(await world.cluster.get(kinds.configMap, "shop", "precious")).toBeDefined();
});

test("an arena whose objects are as before but which measures otherwise is redeployed", async () => {
  const micro = environments.get("simple-micro");
  using world = openLocalWorld(micro);
  const arena = arenaOn(world.cluster, micro);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const command = { failure: "cpu-stress", target: "hello-service", timeoutSeconds: 60 };
  const injected = await injectFailure(arena, command);
  if (injected.status !== "ok") throw new Error(injected.reason);
  const { baseline } = injected;
  const restore = (cpuUsageCores: number) =>
    restoreArena(arena, {
      ...command,
      baseline: { ...baseline, values: { ...baseline.values, cpuUsageCores } },
      timeoutSeconds: 600,
    });
  expect(await restore(baseline.values["cpuUsageCores"] ?? 0)).toMatchObject({ how: "reset" });
  // As if it had been idle before: what it uses now is far from that.
  expect(await restore(-1)).toMatchObject({ how: "redeployed" });
});

test("agents see as much of the past with a fault as without one, and nothing of the baseline's measurements", async () => {
  const simple = environments.get("simple-micro");
  using world = openLocalWorld(simple);
  const arena = arenaOn(world.cluster, simple);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  for (const failure of ["none", "network-delay"]) {
    const command = { failure, target: "time-service", timeoutSeconds: 60 };
    const injected = await injectFailure(arena, { ...command, historySeconds: 120, seed: "one" });
    if (injected.status !== "ok") throw new Error(injected.reason);
    const { historyFrom = 0, baseline } = injected;
    expect((await world.cluster.clock.now()) - historyFrom).toBe(120_000);
    expect(historyFrom).toBeGreaterThanOrEqual(baseline.takenAt + 20_000);
  }
});

test("the healthy system is under load for as long as is asked for before the fault comes", async () => {
  const simple = environments.get("simple-micro");
  using world = openLocalWorld(simple);
  const arena = arenaOn(world.cluster, simple);
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const command = { failure: "network-delay", target: "time-service", timeoutSeconds: 60 };
  const injected = await injectFailure(arena, { ...command, historySeconds: 120 });
  if (injected.status !== "ok") throw new Error(injected.reason);
  const { baseline, injection } = injected;
  expect(injection.injectedAt - baseline.takenAt).toBeGreaterThanOrEqual(120_000);
  expect(injection.requests?.at).toBeGreaterThanOrEqual(baseline.takenAt + 120_000);
});
