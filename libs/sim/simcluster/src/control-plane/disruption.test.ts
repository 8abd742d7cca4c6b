import { isReady, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment } from "../testing/workloads.ts";

function budgeted(spec: object) {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment({ replicas: 4 }));
  world.create(resources.podDisruptionBudgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "web", namespace: "shop" },
    spec: { selector: { matchLabels: { app: "web" } }, ...spec },
  });
  world.stepUntil(() => world.pods().length === 4 && world.pods().every(isReady));
  world.loop.advance(1000);
  return { world, status: () => world.get(resources.podDisruptionBudgets, "web")?.status };
}

test("says how many pods may be evicted", () => {
  const { status } = budgeted({ minAvailable: 3 });
  expect(status()).toMatchObject({
    disruptionsAllowed: 1,
    currentHealthy: 4,
    desiredHealthy: 3,
    expectedPods: 4,
    conditions: [{ type: "DisruptionAllowed", status: "True", reason: "SufficientPods" }],
  });
});

test("counts shares of the replicas that the controller keeps", () => {
  expect(budgeted({ maxUnavailable: "50%" }).status()).toMatchObject({
    disruptionsAllowed: 2,
    desiredHealthy: 2,
  });
  expect(budgeted({ minAvailable: "30%" }).status()).toMatchObject({
    disruptionsAllowed: 2,
    desiredHealthy: 2,
  });
});

test("allows nothing while a pod is away, and again when it is back", () => {
  const { world, status } = budgeted({ maxUnavailable: 1 });
  const victim = world.pods()[0]?.metadata.name ?? "";
  world.store.delete(resources.pods, "shop", victim);
  world.loop.advance(100);
  expect(status()).toMatchObject({ disruptionsAllowed: 0, currentHealthy: 3, desiredHealthy: 3 });
  world.stepUntil(() => status().disruptionsAllowed === 1);
});
