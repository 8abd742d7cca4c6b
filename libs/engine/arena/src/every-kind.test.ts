import { join } from "node:path";
import { customKinds } from "@microremed/catalogue";
import { type Cluster, type Kind, type KubeObject, kinds } from "@microremed/cluster";
import { isDamage } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { readEnvironment } from "@microremed/environments";
import { describeDifference, differenceOf, readInventory, readRecord } from "@microremed/inventory";
import { expect, test } from "vitest";
import { injectFailure } from "./inject-failure.ts";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const environment = readEnvironment(join(import.meta.dirname, "testing/every-kind"));
const { namespace } = environment;
const [shop] = customKinds(environment);
if (!shop) throw new Error("there is no custom resource among the manifests");

async function departures(cluster: Cluster): Promise<string> {
  const record = await readRecord(cluster, namespace);
  const live = await readInventory(cluster, namespace, customKinds(environment));
  return describeDifference(differenceOf(record?.objects ?? [], live));
}

const ofCluster = ["CustomResourceDefinition", "PriorityClass"];
const prepare = { redeploy: false, timeoutSeconds: 900 };
const command = { failure: "pod-fail", target: "store", timeoutSeconds: 60 };

/** Injects a fault, does what an agent might have done, and restores. What the restore found. */
async function damageOf(change: (cluster: Cluster) => Promise<unknown>) {
  using world = openLocalWorld(environment);
  const { cluster } = world;
  const arena = arenaOn(cluster, environment);
  await prepareArena(arena, prepare);
  const injected = await injectFailure(arena, command);
  if (injected.status !== "ok") throw new Error(injected.reason);
  await change(cluster);
  // Until the controllers have followed.
  await cluster.clock.sleep(20_000);
  const { baseline } = injected;
  const restored = await restoreArena(arena, { ...command, baseline, timeoutSeconds: 600 });
  expect(await departures(cluster)).toBe("");
  expect(await prepareArena(arena, prepare)).toEqual({ deployed: false });
  const changes = restored.damage?.changes.filter(isDamage) ?? [];
  return { how: restored.how, damage: changes.map(({ what, object }) => `${what} ${object}`) };
}

test("a system with objects of every kind gets healthy, and stays as its record while its own controllers go on", async () => {
  using world = openLocalWorld(environment);
  const { cluster } = world;
  const arena = arenaOn(cluster, environment);
  expect(await prepareArena(arena, prepare)).toEqual({ deployed: true });
  const record = await readRecord(cluster, namespace);
  const recorded = new Set(record?.objects.map(({ kind }) => kind));
  const declared = environment.manifests.map(({ kind }) => kind).filter((kind) => !ofCluster.includes(kind));
  expect(declared.filter((kind) => !recorded.has(kind))).toEqual([]);
  const scale = { type: "merge", body: { spec: { replicas: 3 } } } as const;
  // As its autoscaler would; CronJobs make Jobs, and Jobs that are done go.
  await cluster.patch(kinds.deployment, namespace, "front", scale);
  await cluster.clock.sleep(150_000);
  expect((await cluster.list(kinds.job, { namespace })).length).toBeGreaterThan(1);
  expect(await departures(cluster)).toBe("");
  expect(await prepareArena(arena, prepare)).toEqual({ deployed: false });
});

test("nothing of it is taken for damage after an episode in which no agent did anything", async () => {
  expect(await damageOf(async () => {})).toEqual({ how: "reset", damage: [] });
});

test("what was deleted comes back, of every kind, and is counted", async () => {
  const gone: readonly (readonly [Kind, string])[] = [
    [shop, "corner"],
    [kinds.daemonSet, "collector"],
    [kinds.cronJob, "report"],
    [kinds.job, "migrate"],
    [kinds.ingress, "front"],
    [kinds.networkPolicy, "only-front"],
    [kinds.podDisruptionBudget, "books"],
    [kinds.horizontalPodAutoscaler, "front"],
    [kinds.pod, "toolbox"],
    [kinds.role, "front"],
  ];
  const { how, damage } = await damageOf(async (cluster) => {
    for (const [kind, name] of gone) await cluster.delete(kind, namespace, name);
  });
  expect(how).toBe("reset");
  expect(damage).toEqual(expect.arrayContaining(gone.map(([{ kind }, name]) => `removed ${kind}/${name}`)));
});

test("what was changed is put back", async () => {
  const { damage } = await damageOf(async (cluster) => {
    const patch = (kind: Kind, name: string, spec: object) =>
      cluster.patch(kind, namespace, name, { type: "merge", body: { spec } });
    await patch(shop, "corner", { shelves: 4 });
    await patch(kinds.cronJob, "report", { suspend: true });
    await patch(kinds.horizontalPodAutoscaler, "front", { maxReplicas: 9 });
    await patch(kinds.podDisruptionBudget, "books", { minAvailable: 2 });
    await patch(kinds.daemonSet, "collector", { template: { spec: { nodeSelector: { none: "such" } } } });
  });
  const changed = [
    ...["Shop/corner", "CronJob/report", "HorizontalPodAutoscaler/front"],
    ...["PodDisruptionBudget/books", "DaemonSet/collector"],
  ];
  expect(damage).toEqual(expect.arrayContaining(changed.map((object) => `changed ${object}`)));
});

test("where the harness may not write objects of the whole cluster, they must be there, and the error names them", async () => {
  using world = openLocalWorld(environment);
  const isOfCluster = ({ kind = "" }: KubeObject): boolean => ofCluster.includes(kind);
  const cluster: Cluster = {
    ...world.cluster,
    apply: async (object) => {
      if (isOfCluster(object)) throw terminal("cluster-refused", "not allowed", { status: 403 });
      return world.cluster.apply(object);
    },
  };
  const arena = arenaOn(cluster, environment);
  await expect(prepareArena(arena, prepare)).rejects.toThrow(
    "every-kind needs the CustomResourceDefinition shops.example.org, which is of the whole cluster local",
  );
  for (const manifest of environment.manifests.filter(isOfCluster)) await world.cluster.apply(manifest);
  expect(await prepareArena(arena, prepare)).toEqual({ deployed: true });
});
