import { type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aPod } from "../testing/workloads.ts";

const pod = (name: string, cpu: string, spec: object = {}) =>
  aPod({ name, container: { resources: { requests: { cpu } } }, spec });

/** Three nodes of 16 cores, each full with one pod of 15. */
function full(): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  const priorities = { low: 10, mid: 20, high: 30 };
  for (const [name, priority] of Object.entries(priorities))
    world.create(resources.pods, pod(name, "15", { priority }));
  world.stepUntil(() => world.pods().every((each) => each.status?.phase === "Running"));
  return world;
}

const conditionOf = (object: KubeObject | undefined, type: string) =>
  object?.status?.conditions?.find((each: { type: string }) => each.type === type);

test("evicts the least important pod that makes room, and puts the important one in its place", () => {
  const world = full();
  const node = world.get(resources.pods, "low")?.spec.nodeName;
  world.create(resources.pods, pod("urgent", "4", { priority: 100 }));
  world.loop.advance(300);
  const urgent = world.get(resources.pods, "urgent");
  expect(urgent?.status.nominatedNodeName).toBe(node);
  expect(conditionOf(urgent, "PodScheduled")).toMatchObject({
    status: "False",
    reason: "Unschedulable",
    message: "0/3 nodes are available: 3 Insufficient cpu.",
  });
  const low = world.get(resources.pods, "low");
  expect(low?.metadata.deletionTimestamp).toBeDefined();
  expect(conditionOf(low, "DisruptionTarget")).toMatchObject({
    reason: "PreemptionByScheduler",
    message: "default-scheduler: preempting to accommodate a higher priority pod",
  });
  expect(world.events("Preempted").map((event) => event["message"])).toEqual([
    `Preempted by pod ${urgent?.metadata.uid} on node ${node}`,
  ]);
  world.stepUntil(() => world.get(resources.pods, "urgent")?.status.phase === "Running", 90);
  expect(world.get(resources.pods, "urgent")?.spec.nodeName).toBe(node);
  expect(world.pods().map((each) => each.metadata.name)).toEqual(
    expect.arrayContaining(["mid", "high", "urgent"]),
  );
});

test("keeps the room that was made from less important pods while the victims still end", () => {
  const world = full();
  world.create(resources.pods, pod("urgent", "4", { priority: 100 }));
  world.loop.advance(300);
  world.create(resources.pods, pod("late", "14", { priority: 1 }));
  world.stepUntil(() => world.get(resources.pods, "urgent")?.status.phase === "Running", 90);
  world.loop.advance(5000);
  expect(world.get(resources.pods, "late")?.spec.nodeName).toBeUndefined();
});

test.each<[string, object, string]>([
  [
    "no pod is less important",
    { priority: 10 },
    "preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  ],
  [
    "it does not want to",
    { priority: 100, preemptionPolicy: "Never" },
    "preemption: not eligible due to preemptionPolicy=Never.",
  ],
])("evicts no pod when %s", (_why, spec, text) => {
  const world = full();
  world.create(resources.pods, pod("next", "4", spec));
  world.loop.advance(10_000);
  expect(world.events("FailedScheduling").map((event) => event["message"])).toEqual([
    `0/3 nodes are available: 3 Insufficient cpu. ${text}`,
  ]);
  expect(world.events("Preempted")).toEqual([]);
});

test("rather evicts a more important pod than one that a disruption budget keeps", () => {
  const world = full();
  world.store.mutate(resources.pods, "shop", "low", (object) => ({
    ...object,
    metadata: { ...object.metadata, labels: { app: "kept" } },
  }));
  world.create(resources.podDisruptionBudgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "kept", namespace: "shop" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "kept" } } },
  });
  world.loop.advance(1000);
  world.create(resources.pods, pod("urgent", "4", { priority: 100 }));
  world.loop.advance(300);
  expect(world.get(resources.pods, "low")?.metadata.deletionTimestamp).toBeUndefined();
  expect(world.get(resources.pods, "mid")?.metadata.deletionTimestamp).toBeDefined();
});

test("places no pod where one that is more important and keeps away from it is about to be", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  const nodeSelector = { "kubernetes.io/hostname": "node-2" };
  const web = (name: string) => {
    const { metadata, ...rest } = pod(name, "1", { nodeSelector });
    return { ...rest, metadata: { ...metadata, labels: { app: "shop" } } };
  };
  world.create(resources.pods, web("old"));
  world.stepUntil(() => world.get(resources.pods, "old")?.status.phase === "Running");
  const apart = {
    labelSelector: { matchLabels: { app: "shop" } },
    topologyKey: "kubernetes.io/hostname",
  };
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [apart] } };
  world.create(resources.pods, pod("batch", "1", { nodeSelector, affinity, priority: 100 }));
  world.loop.advance(300);
  expect(world.get(resources.pods, "batch")?.status.nominatedNodeName).toBe("node-2");
  world.create(resources.pods, web("new"));
  world.stepUntil(() => world.get(resources.pods, "batch")?.status.phase === "Running", 90);
  world.loop.advance(5000);
  const waiting = world.get(resources.pods, "new");
  expect(waiting?.status.phase).toBe("Pending");
  expect(waiting?.spec.nodeName).toBeUndefined();
  expect(world.events("Preempted")).toHaveLength(1);
});
