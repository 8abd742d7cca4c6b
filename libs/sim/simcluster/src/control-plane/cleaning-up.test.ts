import { isReady, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment } from "../testing/workloads.ts";

function aRunningWorld() {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment({ replicas: 2 }));
  world.stepUntil(() => world.pods().length === 2 && world.pods().every(isReady));
  return world;
}

test("deletes what a deleted owner leaves behind", () => {
  const world = aRunningWorld();
  world.store.delete(resources.deployments, "shop", "web", { propagationPolicy: "Background" });
  world.stepUntil(() => world.pods().length === 0);
  expect(world.store.list(resources.replicaSets, "shop")).toEqual([]);
  expect(world.machine.sandboxes.size).toBe(0);
});

test("leaves orphans alone, and a new owner adopts them", () => {
  const world = aRunningWorld();
  const uids = () => world.pods().map((pod) => pod.metadata.uid);
  const before = uids();
  world.store.delete(resources.deployments, "shop", "web", { propagationPolicy: "Orphan" });
  world.loop.advance(5000);
  expect(world.get(resources.deployments, "web")).toBeUndefined();
  world.create(resources.deployments, aDeployment({ replicas: 2 }));
  world.loop.advance(10_000);
  expect(uids()).toEqual(before);
  expect(world.store.list(resources.replicaSets, "shop")).toHaveLength(1);
});

test("keeps an owner until its dependents are gone when deleted in the foreground", () => {
  const world = aRunningWorld();
  world.store.delete(resources.deployments, "shop", "web", { propagationPolicy: "Foreground" });
  world.stepUntil(() => {
    const owner = world.get(resources.deployments, "web");
    if (world.pods().length > 0) expect(owner).toBeDefined();
    return owner === undefined;
  });
  expect(world.pods()).toHaveLength(0);
});

test("gives a namespace its defaults, and empties it before it goes", () => {
  const world = aRunningWorld();
  expect(world.get(resources.serviceAccounts, "default")).toBeDefined();
  expect(world.get(resources.configMaps, "kube-root-ca.crt")).toBeDefined();
  world.store.delete(resources.namespaces, undefined, "shop");
  expect(world.store.get(resources.namespaces, undefined, "shop")?.status.phase).toBe("Terminating");
  const seconds = world.stepUntil(() => !world.store.get(resources.namespaces, undefined, "shop"));
  expect(seconds).toBeLessThan(30);
  for (const resource of Object.values(resources)) expect(world.store.list(resource, "shop")).toEqual([]);
});
