import { expect, test } from "vitest";
import { pauseAnnotation } from "../model/conditions.ts";
import { chaosRef } from "../model/refs.ts";
import { createChaosWorld } from "../testing/chaos-world.ts";
import { cleanFinalizerAnnotation, recordsFinalizer } from "./finalizers.ts";

const selector = { labelSelectors: { app: "cart" } };
const cpu = { selector, mode: "all", stressors: { cpu: { workers: 2, load: 50 } } };
const seconds = (count: number): number => count * 1000;

test("goes from selection to injection within a second, by finalizer, phase, records and conditions", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  world.create("stresschaos", "cpu", cpu);
  world.loop.advance(50);
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllRecovered"]);
  world.loop.advance(seconds(1));
  const chaos = world.get("stresschaos", "cpu");
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllInjected"]);
  expect(chaos.metadata.finalizers).toEqual([recordsFinalizer]);
  expect(chaos.status.experiment).toMatchObject({
    desiredPhase: "Run",
    containerRecords: [
      {
        id: "shop/cart/cart",
        selectorKey: ".",
        phase: "Injected",
        injectedCount: 1,
        recoveredCount: 0,
        events: [{ type: "Succeeded", operation: "Apply" }],
      },
    ],
  });
  expect(Object.keys(chaos.status.instances)).toEqual(["shop/cart/cart"]);
  expect(
    world
      .events("cpu")
      .map((event) => `${event.reason}: ${event.message}`)
      .sort(),
  ).toEqual([
    "Applied: Successfully apply chaos for shop/cart/cart",
    "FinalizerInited: Finalizer has been inited",
    "Started: Experiment has started",
    "Updated: Successfully update `desiredPhase` of resource",
    "Updated: Successfully update `finalizers` of resource",
    "Updated: Successfully update `records` of resource",
  ]);
});

test("recovers and only then lets a deleted experiment vanish", () => {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  world.create("stresschaos", "cpu", cpu);
  world.loop.advance(seconds(2));
  expect(sandbox?.containers.get("cart")?.processes).toHaveLength(4);
  world.store.delete(chaosRef("stresschaos"), "shop", "cpu");
  expect(world.get("stresschaos", "cpu").metadata.deletionTimestamp).toBeDefined();
  world.loop.advance(seconds(2));
  expect(world.find("stresschaos", "cpu")).toBeUndefined();
  expect(sandbox?.containers.get("cart")?.processes).toHaveLength(1);
  expect(world.events("cpu").map((event) => event.message)).toContain("Finalizer has been removed");
});

test("pauses by annotation and injects the same targets again on resume", () => {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  world.create("stresschaos", "cpu", cpu);
  world.loop.advance(seconds(2));
  world.annotate("stresschaos", "cpu", { [pauseAnnotation]: "true" });
  world.loop.advance(seconds(2));
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllRecovered", "Paused"]);
  expect(sandbox?.containers.get("cart")?.processes).toHaveLength(1);
  world.annotate("stresschaos", "cpu", {});
  world.loop.advance(seconds(2));
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllInjected"]);
  const [record] = world.get("stresschaos", "cpu").status.experiment.containerRecords;
  expect([record.injectedCount, record.recoveredCount]).toEqual([2, 1]);
});

test("counts the duration from creation and never injects again", () => {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  world.create("stresschaos", "cpu", { ...cpu, duration: "30s" });
  world.loop.advance(seconds(29));
  expect(sandbox?.containers.get("cart")?.processes).toHaveLength(4);
  world.loop.advance(seconds(3));
  expect(sandbox?.containers.get("cart")?.processes).toHaveLength(1);
  expect(world.get("stresschaos", "cpu").status.experiment.desiredPhase).toBe("Stop");
  expect(world.events("cpu").map((event) => event.message)).toContain("Time up according to the duration");
  world.loop.advance(seconds(600));
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllRecovered"]);
});

test("says that no pod is selected, a few times, and does not retry by itself", () => {
  const world = createChaosWorld();
  world.create("stresschaos", "cpu", cpu);
  world.loop.advance(seconds(5));
  const failed = (): number => world.events("cpu").filter((event) => event.reason === "Failed").length;
  expect(failed()).toBe(3);
  expect(world.events("cpu").map((event) => event.message)).toContain(
    "Failed to select targets: no pod is selected",
  );
  world.addPod("cart");
  world.loop.advance(seconds(60));
  expect(world.holds("stresschaos", "cpu")).toEqual([]);
  world.annotate("stresschaos", "cpu", { touched: "yes" });
  world.loop.advance(seconds(2));
  expect(world.holds("stresschaos", "cpu")).toEqual(["Selected", "AllInjected"]);
});

test("retries a failing apply with growing delays until the container runs", () => {
  const world = createChaosWorld();
  world.addPod("cart", { pending: true });
  world.create("stresschaos", "cpu", cpu);
  world.loop.advance(seconds(6));
  const record = () => world.get("stresschaos", "cpu").status.experiment.containerRecords[0];
  expect(record().events.length).toBeGreaterThan(5);
  expect(record().events.length).toBeLessThan(15);
  expect(record().events[0]).toMatchObject({
    type: "Failed",
    operation: "Apply",
    message: "container with id shop/cart/cart not found: container not found",
  });
  world.removePod("cart");
  world.addPod("cart");
  world.loop.advance(seconds(15));
  expect(record().phase).toBe("Injected");
});

test("a stress experiment whose apply fails is deleted at once, a network one hangs until its pod goes", () => {
  const world = createChaosWorld();
  const sandbox = world.addPod("cart");
  world.addPod("pending", { pending: true });
  world.create("stresschaos", "cpu", { ...cpu, selector: { labelSelectors: { app: "pending" } } });
  world.create("networkchaos", "loss", { selector, mode: "all", action: "loss", loss: { loss: "150" } });
  world.loop.advance(seconds(5));
  expect(world.get("networkchaos", "loss").status.experiment.containerRecords[0].phase).toBe(
    "Not Injected/Wait",
  );
  expect(sandbox?.netem).toEqual([]);
  world.store.delete(chaosRef("stresschaos"), "shop", "cpu");
  world.store.delete(chaosRef("networkchaos"), "shop", "loss");
  world.annotate("networkchaos", "loss", { [cleanFinalizerAnnotation]: "forced" });
  world.loop.advance(seconds(20));
  expect(world.find("stresschaos", "cpu")).toBeUndefined();
  expect(world.find("networkchaos", "loss")).toBeDefined();
  world.removePod("cart");
  world.loop.advance(seconds(60));
  expect(world.find("networkchaos", "loss")).toBeUndefined();
});

test("takes named containers and the first otherwise, and fails when none matches", () => {
  const world = createChaosWorld();
  world.addPod("cart");
  world.create("stresschaos", "cpu", { ...cpu, containerNames: ["other"] });
  world.loop.advance(seconds(1));
  expect(world.events("cpu").map((event) => event.message)).toContain(
    "Failed to select targets: no target has been selected",
  );
});
