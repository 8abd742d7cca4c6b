import { isReady, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld } from "../testing/stepped-world.ts";
import { aStatefulSet, withContainer } from "../testing/workloads.ts";

test("starts pods one after the other and replaces them from the highest ordinal down", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  const claims = [{ metadata: { name: "data" }, spec: { resources: { requests: { storage: "1Gi" } } } }];
  world.create(resources.statefulSets, aStatefulSet({ replicas: 3, rest: { volumeClaimTemplates: claims } }));
  const names = (): readonly string[] => world.pods().map((pod) => pod.metadata.name);
  world.stepUntil(() => {
    const pods = world.pods();
    for (const pod of pods.slice(0, -1)) expect(isReady(pod)).toBe(true);
    return pods.length === 3 && pods.every(isReady);
  });
  expect(names()).toEqual(["web-0", "web-1", "web-2"]);
  expect(world.get(resources.persistentVolumeClaims, "data-web-2")?.status.phase).toBe("Bound");

  const before = new Map(world.pods().map((pod) => [pod.metadata.name, pod.metadata.uid]));
  world.store.mutate(resources.statefulSets, "shop", "web", (old) =>
    withContainer(old, { image: "nginx:1.26" }),
  );
  const replaced: string[] = [];
  world.stepUntil(() => {
    for (const { metadata } of world.pods()) {
      if (before.get(metadata.name) !== metadata.uid && !replaced.includes(metadata.name))
        replaced.push(metadata.name);
    }
    const status = world.get(resources.statefulSets, "web")?.status;
    return (
      replaced.length === 3 && status.readyReplicas === 3 && status.currentRevision === status.updateRevision
    );
  });
  expect(replaced).toEqual(["web-2", "web-1", "web-0"]);
  expect(world.store.list(resources.controllerRevisions, "shop")).toHaveLength(2);

  world.store.mutate(resources.statefulSets, "shop", "web", (old) => ({
    ...old,
    spec: { ...old.spec, replicas: 1 },
  }));
  world.stepUntil(() => names().length === 1);
  expect(names()).toEqual(["web-0"]);
  expect(world.store.list(resources.persistentVolumeClaims, "shop")).toHaveLength(3);
});

test("a new set takes on the pods that one of its name has left behind, and makes those that are missing", () => {
  const world = createSteppedWorld();
  world.createNamespace();
  const replicas = (): readonly string[] => world.pods().map((pod) => pod.metadata.uid);
  world.create(resources.statefulSets, aStatefulSet({ replicas: 3 }));
  world.stepUntil(() => world.pods().length === 3 && world.pods().every(isReady));
  const before = replicas();
  world.store.delete(resources.statefulSets, "shop", "web", { propagationPolicy: "Orphan" });
  world.stepUntil(() => world.get(resources.statefulSets, "web") === undefined);
  world.store.delete(resources.pods, "shop", "web-2");
  world.stepUntil(() => world.pods().length === 2);

  world.create(resources.statefulSets, aStatefulSet({ replicas: 3 }));
  world.stepUntil(() => world.get(resources.statefulSets, "web")?.status?.readyReplicas === 3);
  expect(replicas().slice(0, 2)).toEqual(before.slice(0, 2));
  expect(world.store.list(resources.controllerRevisions, "shop")).toHaveLength(1);
});
