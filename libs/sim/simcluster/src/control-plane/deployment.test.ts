import { isFinished, isReady, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment, withContainer } from "../testing/workloads.ts";

function aWorld(): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  return world;
}

function isRolledOut(world: SteppedWorld): boolean {
  const { spec, status, metadata } = world.get(resources.deployments, "web") ?? {
    spec: {},
    status: {},
    metadata: {},
  };
  return (
    status?.observedGeneration === (metadata as { generation?: number }).generation &&
    status?.updatedReplicas === spec.replicas &&
    status?.availableReplicas === spec.replicas &&
    status?.replicas === spec.replicas
  );
}

function change(world: SteppedWorld, container: object): void {
  world.store.mutate(resources.deployments, "shop", "web", (old) => withContainer(old, container));
}

const setsOf = (world: SteppedWorld) => world.store.list(resources.replicaSets, "shop");

test("rolls out a new template without ever going below the wanted availability", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment({ replicas: 4 }));
  world.stepUntil(() => isRolledOut(world));
  change(world, { image: "nginx:1.26" });
  let fewest = 4;
  let most = 0;
  world.stepUntil(() => {
    fewest = Math.min(
      fewest,
      world.pods().filter((pod) => isReady(pod) && !pod.metadata.deletionTimestamp).length,
    );
    most = Math.max(most, world.pods().filter((pod) => !pod.metadata.deletionTimestamp).length);
    return isRolledOut(world);
  });
  expect(fewest).toBe(3);
  expect(most).toBe(5);
  world.loop.advance(5000);
  expect(world.pods().map((pod) => pod.spec.containers[0].image)).toEqual(Array(4).fill("nginx:1.26"));
});

test("goes back to an earlier template by the ReplicaSet that already holds it", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment());
  world.stepUntil(() => isRolledOut(world));
  const [first] = setsOf(world);
  change(world, { image: "nginx:1.26" });
  world.stepUntil(() => isRolledOut(world));
  // What kubectl rollout undo sends: the old template with the empty fields of Go's types.
  change(world, { image: "nginx:1.25", resources: {} });
  world.stepUntil(() => isRolledOut(world));
  expect(setsOf(world)).toHaveLength(2);
  const again = setsOf(world).find((set) => set.metadata.uid === first?.metadata.uid);
  expect(again?.metadata.annotations?.["deployment.kubernetes.io/revision"]).toBe("3");
  expect(again?.spec.replicas).toBe(1);
  expect(world.get(resources.deployments, "web")?.metadata.annotations).toMatchObject({
    "deployment.kubernetes.io/revision": "3",
  });
});

test("reports progress and events in Kubernetes' words", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment({ replicas: 2 }));
  world.stepUntil(() => isRolledOut(world));
  const [set] = setsOf(world);
  const name = set?.metadata.name;
  expect(world.get(resources.deployments, "web")?.status.conditions).toMatchObject(
    [
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable" },
      {
        type: "Progressing",
        reason: "NewReplicaSetAvailable",
        message: `ReplicaSet "${name}" has successfully progressed.`,
      },
    ].sort((a, b) => expectOrder(world, a.type) - expectOrder(world, b.type)),
  );
  expect(world.events("ScalingReplicaSet")[0]?.["message"]).toBe(`Scaled up replica set ${name} to 2`);
});

function expectOrder(world: SteppedWorld, type: string): number {
  const conditions = world.get(resources.deployments, "web")?.status.conditions ?? [];
  return conditions.findIndex((condition: { type: string }) => condition.type === type);
}

test("says that a rollout has exceeded its deadline and keeps the old pods", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment({ rest: { progressDeadlineSeconds: 60 } }));
  world.stepUntil(() => isRolledOut(world));
  change(world, { image: "nginx:no-such-tag" });
  world.loop.advance(90_000);
  const progressing = world
    .get(resources.deployments, "web")
    ?.status.conditions.find((condition: { type: string }) => condition.type === "Progressing");
  expect(progressing).toMatchObject({ status: "False", reason: "ProgressDeadlineExceeded" });
  expect(world.pods().filter(isReady)).toHaveLength(1);
});

test("keeps the old pod serving while its successor starts slowly", () => {
  const world = createSteppedWorld({ systems: ["online-boutique"] });
  world.createNamespace();
  world.apply("online-boutique");
  const emails = () => world.pods().filter((pod) => pod.metadata.labels?.["app"] === "emailservice");
  world.stepUntil(() => emails().some(isReady));
  const [old] = emails();
  world.store.mutate(resources.deployments, "shop", "emailservice", (stored) => {
    const { template } = stored.spec;
    const containers = template.spec.containers.map((each: { name: string }) =>
      each.name === "server"
        ? {
            ...each,
            resources: { requests: { cpu: "2m", memory: "64Mi" }, limits: { cpu: "2m", memory: "200Mi" } },
          }
        : each,
    );
    return {
      ...stored,
      spec: { ...stored.spec, template: { ...template, spec: { ...template.spec, containers } } },
    };
  });
  world.loop.advance(60_000);
  expect(emails()).toHaveLength(2);
  expect(
    emails()
      .filter(isReady)
      .map((pod) => pod.metadata.name),
  ).toEqual([old?.metadata.name]);
});

test("stops all old pods before it starts new ones with strategy Recreate", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment({ replicas: 2, rest: { strategy: { type: "Recreate" } } }));
  world.stepUntil(() => isRolledOut(world));
  change(world, { image: "nginx:1.26" });
  world.stepUntil(() => {
    // A pod whose containers have ended, and that is about to go, is no old pod any more.
    const running = world.pods().filter((pod) => !isFinished(pod));
    expect(new Set(running.map((pod) => pod.spec.containers[0].image)).size).toBeLessThan(2);
    return isRolledOut(world) && world.pods().every((pod) => pod.spec.containers[0].image === "nginx:1.26");
  });
});

test("scales, and leaves a paused deployment's template alone", () => {
  const world = aWorld();
  world.create(resources.deployments, aDeployment());
  world.stepUntil(() => isRolledOut(world));
  world.store.mutate(resources.deployments, "shop", "web", (old) => ({
    ...withContainer(old, { image: "nginx:1.26" }),
    spec: { ...withContainer(old, { image: "nginx:1.26" }).spec, paused: true, replicas: 3 },
  }));
  world.loop.advance(20_000);
  expect(setsOf(world)).toHaveLength(1);
  expect(world.pods()).toHaveLength(3);
  world.store.mutate(resources.deployments, "shop", "web", (old) => ({
    ...old,
    spec: { ...old.spec, paused: false, replicas: 0 },
  }));
  world.loop.advance(20_000);
  expect(world.pods()).toHaveLength(0);
});
