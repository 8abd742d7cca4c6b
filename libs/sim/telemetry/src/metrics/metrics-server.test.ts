import { createChaosWorld } from "@microremed/sim-chaos-mesh/testing";
import { expect, test } from "vitest";
import { startMetricsServer } from "./metrics-server.ts";

function measured() {
  const world = createChaosWorld();
  const metrics = startMetricsServer(world);
  const sandbox = world.addPod("cart");
  const use = (cores: number, seconds: number): void => {
    for (let second = 0; second < seconds; second++) {
      world.loop.advance(1000);
      const usage = sandbox?.containers.get("cart")?.usage;
      if (usage) usage.cpuTotal += cores;
    }
  };
  return { world, metrics, use };
}

test("knows a container from its second scrape on, as the rate between the two", () => {
  const { metrics, use } = measured();
  use(0.25, 15);
  expect(metrics.pods("shop")).toEqual([]);
  use(0.25, 16);
  expect(metrics.pods("shop")).toEqual([
    {
      namespace: "shop",
      name: "cart",
      labels: { app: "cart" },
      timestamp: "2026-01-01T00:00:30Z",
      window: "15s",
      containers: [{ name: "cart", usage: { cpu: "250000000n", memory: "20480Ki" } }],
    },
  ]);
  expect(metrics.pods("other")).toEqual([]);
});

test("serves the old numbers until the next scrape, and has none after a restart until the second", () => {
  const { world, metrics, use } = measured();
  use(0.4, 31);
  const cpu = (): string | undefined => metrics.pods(undefined)[0]?.containers[0]?.usage.cpu;
  world.restartContainer("cart");
  use(0.1, 5);
  expect(cpu()).toBe("400000000n");
  use(0.1, 10);
  expect(cpu()).toBeUndefined();
  use(0.1, 15);
  expect(cpu()).toBe("100000000n");
});

test("forgets a deleted pod at once", () => {
  const { world, metrics, use } = measured();
  use(0.4, 31);
  world.removePod("cart");
  expect(metrics.pods(undefined)).toEqual([]);
});

test("adds a node's pods up", () => {
  const { world, metrics, use } = measured();
  world.store.create(
    { group: "", resource: "nodes" },
    { apiVersion: "v1", kind: "Node", metadata: { name: "node-1" } },
  );
  use(1, 31);
  expect(metrics.nodes()).toMatchObject([
    { name: "node-1", window: "15s", usage: { cpu: "1120000000n", memory: "737280Ki" } },
  ]);
});
