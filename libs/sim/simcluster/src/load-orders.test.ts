import { followedAnnotation, orderedLabel } from "@microremed/environments";
import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { arena, deployedWorld } from "./testing/deployed-world.ts";

const order = (load: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "load",
    namespace: "microremed",
    labels: { "microremed.io/arena": arena, [orderedLabel]: "true" },
  },
  data: { load },
});

function loadedWorld(system: string) {
  const world = deployedWorld(system);
  world.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "microremed" } });
  // The load generator waits for the shop.
  world.loop.advance(60_000);
  const followed = () =>
    world.store.get(resources.configMaps, "microremed", "load")?.metadata.annotations?.[followedAnnotation];
  const rate = () => {
    world.loop.advance(5000);
    const entering = world.physics
      .edges(arena)
      .filter(({ from }) => from === "outside" || from === "loadgenerator");
    return entering.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
  };
  return { world, followed, rate };
}

test.each(["simple-micro", "online-boutique"])(
  "the users of %s follow an order, take a new one, and come as usual without one",
  (system) => {
    const { world, followed, rate } = loadedWorld(system);
    using _ = world;
    const usual = rate();
    expect(usual).toBeGreaterThan(0);
    const constant = (factor: number) =>
      JSON.stringify({ pattern: { shape: "constant", factor }, seed: "", origin: world.loop.now() });
    for (const factor of [3, 0.5]) {
      const load = constant(factor);
      world.apply(order(load));
      expect(followed()).not.toBe(load);
      expect(rate() / usual).toBeCloseTo(factor, 1);
      expect(followed()).toBe(load);
    }
    world.store.delete(resources.configMaps, "microremed", "load");
    expect(rate() / usual).toBeCloseTo(1, 1);
  },
);

test("what is no order is not said to be followed, and changes nothing", () => {
  const { world, followed, rate } = loadedWorld("simple-micro");
  using _ = world;
  const usual = rate();
  for (const load of [
    "",
    "{",
    '{"pattern":{"shape":"spiral","factor":3}}',
    '{"pattern":{"shape":"constant","factor":"x"}}',
  ]) {
    world.apply(order(load));
    expect(rate() / usual).toBeCloseTo(1, 1);
    expect(followed()).toBeUndefined();
  }
});

test("a snapshot goes back to the order of its time", () => {
  const { world, rate } = loadedWorld("simple-micro");
  using _ = world;
  const load = { pattern: { shape: "constant", factor: 3 }, seed: "", origin: 0 } as const;
  world.apply(order(JSON.stringify(load)));
  const before = rate();
  const snapshot = world.snapshot();
  world.store.delete(resources.configMaps, "microremed", "load");
  expect(rate()).toBeLessThan(before / 2);
  world.restore(snapshot);
  expect(rate()).toBeCloseTo(before, 6);
});

test("a load of a name takes the place of the system's own, and its users answer for what they get", () => {
  const { world, followed, rate } = loadedWorld("hotel-reservation");
  using _ = world;
  expect(rate()).toBeCloseTo(100);
  const load = JSON.stringify({
    ...{ pattern: { shape: "constant", factor: 1, load: "booking" }, seed: "", origin: world.loop.now() },
  });
  world.apply(order(load));
  world.loop.advance(120_000);
  expect(followed()).toBe(load);
  const { sessions, right, wrong, failed } = world.physics.users.tally(arena);
  expect(sessions).toBeGreaterThan(100);
  expect([wrong, failed]).toEqual([0, 0]);
  // Two of three sessions have four steps, the others two.
  expect(right / sessions).toBeGreaterThan(3);
  expect(right / sessions).toBeLessThan(3.5);
});
