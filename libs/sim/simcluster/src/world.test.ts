import { environments, renderManifests } from "@microremed/environments";
import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createWorld, type World } from "./world.ts";

const namespace = "arena";

function deployed(system: string, seed = 1): World {
  const environment = environments.get(system);
  const world = createWorld({ seed, environments: [environment] });
  world.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  for (const manifest of renderManifests(environment, { namespace })) world.apply(manifest);
  return world;
}

const podsOf = (world: World): readonly KubeObject[] => world.store.list(resources.pods, namespace);
const podsOfApp = (world: World, app: string): readonly KubeObject[] =>
  podsOf(world).filter((pod) => pod.metadata.labels?.["app"] === app);

/** Steps until `holds`; fails after `limit` seconds of cluster time. Returns the seconds that it took. */
function stepUntil(world: World, holds: () => boolean, limit: number): number {
  const began = world.loop.now();
  while (!holds()) {
    if (world.loop.now() - began > limit * 1000) throw new Error(`did not come true in ${limit} s`);
    world.loop.advance(250);
  }
  return (world.loop.now() - began) / 1000;
}

const allReady = (world: World, count: number): boolean =>
  podsOf(world).length === count && podsOf(world).every(isReady);

test("brings online-boutique up in the time that a real cluster takes, and keeps it up", () => {
  using world = deployed("online-boutique");
  const seconds = stepUntil(world, () => allReady(world, 12), 120);
  expect(seconds).toBeGreaterThan(20);
  expect(seconds).toBeLessThan(60);
  const before = podsOf(world).map((pod) => pod.metadata.uid);
  world.loop.advance(1_800_000);
  expect(allReady(world, 12)).toBe(true);
  expect(podsOf(world).map((pod) => pod.metadata.uid)).toEqual(before);
  const restarts = podsOf(world).flatMap((pod) =>
    pod.status.containerStatuses.map((status: { restartCount: number }) => status.restartCount),
  );
  expect(Math.max(...restarts)).toBe(0);
});

test("brings the 56 pods of train-ticket up, and keeps them up", () => {
  using world = deployed("train-ticket");
  stepUntil(world, () => allReady(world, 56), 300);
  world.loop.advance(600_000);
  expect(allReady(world, 56)).toBe(true);
});

test("makes the same world from the same seed and actions, object for object", () => {
  const dump = (seed: number): string => {
    using world = deployed("online-boutique", seed);
    world.loop.advance(90_000);
    const victim = podsOfApp(world, "frontend")[0]?.metadata.name ?? "";
    world.store.delete(resources.pods, namespace, victim);
    world.loop.advance(60_000);
    return JSON.stringify([...world.store.snapshot().objects].map(([key, objects]) => [key, [...objects]]));
  };
  const first = dump(1);
  expect(dump(1)).toBe(first);
  expect(dump(2)).not.toBe(first);
});

test("starves a workload of a wrong configuration without touching the pod that still serves", () => {
  using world = deployed("online-boutique");
  stepUntil(world, () => allReady(world, 12), 120);
  const app = "currencyservice";
  const old = podsOfApp(world, app)[0];
  const original = world.store.get(resources.deployments, namespace, app);
  const setResources = (limits: object, requests: object): void => {
    world.store.mutate(resources.deployments, namespace, app, (deployment) => {
      const { template } = deployment.spec;
      const containers = template.spec.containers.map((each: { name: string }) =>
        each.name === "server" ? { ...each, resources: { limits, requests } } : each,
      );
      const spec = { ...template.spec, containers };
      return { ...deployment, spec: { ...deployment.spec, template: { ...template, spec } } };
    });
  };
  setResources({ cpu: "2m", memory: "200Mi" }, { cpu: "2m", memory: "64Mi" });
  world.loop.advance(120_000);
  expect(podsOfApp(world, app)).toHaveLength(2);
  expect(
    podsOfApp(world, app)
      .filter(isReady)
      .map((pod) => pod.metadata.uid),
  ).toEqual([old?.metadata.uid]);

  const { limits, requests } = original?.spec.template.spec.containers[0].resources ?? {};
  setResources(limits, requests);
  stepUntil(world, () => podsOfApp(world, app).length === 1, 60);
  expect(podsOfApp(world, app)[0]?.metadata.uid).toBe(old?.metadata.uid);
  const sets = world.store.list(resources.replicaSets, namespace);
  expect(sets.filter((set) => set.metadata.labels?.["app"] === app)).toHaveLength(2);
});

test("scales a workload out while its CPU is above an autoscaler's target", () => {
  using world = deployed("online-boutique");
  stepUntil(world, () => allReady(world, 12), 120);
  world.apply({
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "frontend", namespace },
    spec: {
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "frontend" },
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [
        {
          type: "Resource",
          resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 1 } },
        },
      ],
    },
  });
  stepUntil(world, () => podsOfApp(world, "frontend").filter(isReady).length === 3, 180);
});
