import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aPod, mainOf } from "../testing/workloads.ts";

const amounts = (cpu: string, memory = "128Mi") => ({ requests: { cpu, memory }, limits: { cpu, memory } });

function running(container: object = {}): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.pods, aPod({ container: { resources: amounts("100m"), ...container } }));
  world.stepUntil(() => isReady(pod(world)));
  return world;
}

function pod(world: SteppedWorld): KubeObject {
  const found = world.get(resources.pods, "alone");
  if (!found) throw new Error("no pod");
  return found;
}

function resize(world: SteppedWorld, wanted: object): void {
  world.store.mutate(resources.pods, "shop", "alone", (old) => {
    const containers = old.spec.containers.map((each: object) => ({ ...each, resources: wanted }));
    return { ...old, spec: { ...old.spec, containers } };
  });
}

const runtime = (world: SteppedWorld) => world.machine.byPod("shop", "alone")?.containers.get("main");
const condition = (world: SteppedWorld) =>
  pod(world).status.conditions.find(({ type }: { type: string }) => type.startsWith("PodResize"));

test("a running container gets other limits, and its status says so", () => {
  const world = running();
  const before = runtime(world);
  resize(world, amounts("300m", "256Mi"));
  world.stepUntil(() => condition(world)?.type === "PodResizeInProgress", 5);
  world.stepUntil(() => condition(world) === undefined, 5);
  expect(runtime(world)).toBe(before);
  expect(runtime(world)).toMatchObject({ cpuLimit: 0.3, memoryLimit: 256 * 1024 ** 2 });
  expect(mainOf(pod(world))).toMatchObject({
    restartCount: 0,
    resources: amounts("300m", "256Mi"),
    allocatedResources: { cpu: "300m" },
  });
});

test("waits for room on the node, or says that there never will be any", () => {
  const world = running();
  const { nodeName } = pod(world).spec;
  const cores = Number(world.store.get(resources.nodes, undefined, nodeName)?.status.capacity.cpu);
  const container = { resources: amounts(String(cores - 1)) };
  const big = aPod({ name: "big", image: "busybox:1.36", command: ["sleep", "1000"], container });
  world.create(resources.pods, { ...big, spec: { ...big.spec, nodeName } });
  resize(world, amounts("1500m"));
  world.stepUntil(() => condition(world)?.reason === "Deferred", 5);
  expect(condition(world).message).toMatch(
    new RegExp(`^Node didn't have enough resource: cpu, requested: 1500, used: \\d+, capacity: ${cores}000$`),
  );
  world.store.delete(resources.pods, "shop", "big", { gracePeriodSeconds: 0 });
  world.stepUntil(() => runtime(world)?.cpuLimit === 1.5, 30);
  resize(world, amounts("100"));
  world.stepUntil(() => condition(world)?.reason === "Infeasible", 5);
  expect(condition(world).message).toBe(
    `Node didn't have enough capacity: cpu, requested: 100000, capacity: ${cores}000`,
  );
  expect(runtime(world)?.cpuLimit).toBe(1.5);
});

test("takes no memory away that is in use", () => {
  const world = running();
  const container = runtime(world);
  if (!container) throw new Error("no container");
  container.usage.memory = 100 * 1024 ** 2;
  resize(world, amounts("100m", "64Mi"));
  world.stepUntil(() => condition(world)?.reason === "Error", 5);
  expect(condition(world).message).toContain("below current usage");
  container.usage.memory = 10 * 1024 ** 2;
  world.stepUntil(() => container.memoryLimit === 64 * 1024 ** 2, 30);
});

test("restarts a container that asks for it", () => {
  const world = running({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] });
  resize(world, amounts("200m"));
  world.stepUntil(() => mainOf(pod(world)).restartCount === 1, 60);
  expect(world.events("Killing").map((event) => event["message"])).toEqual([
    "Container main resize requires restart",
  ]);
  expect(runtime(world)?.cpuLimit).toBe(0.2);
});
