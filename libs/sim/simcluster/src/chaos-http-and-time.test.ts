import { chaosRef } from "@microremed/sim-chaos-mesh";
import { expect, test } from "vitest";
import { arena, deployedWorld, podsOf, successOf } from "./testing/deployed-world.ts";
import type { World } from "./world.ts";

function experiment(world: World, kind: string, app: string, spec: object): void {
  world.apply({
    apiVersion: "chaos-mesh.org/v1alpha1",
    kind,
    metadata: { name: "fault", namespace: arena },
    spec: { mode: "all", selector: { namespaces: [arena], labelSelectors: { app } }, ...spec },
  });
  world.loop.advance(10_000);
}

function end(world: World, plural: string): void {
  world.store.delete(chaosRef(plural), arena, "fault");
  world.loop.advance(10_000);
}

const latencyOf = (world: World): number =>
  world.physics.edges(arena).find((edge) => edge.from === "outside")?.latencyMs ??
  world.physics.edges(arena).find((edge) => edge.to === "frontend")?.latencyMs ??
  0;
const entrySuccess = (world: World): number | undefined =>
  successOf(world, "outside", "frontend") ?? successOf(world, "loadgenerator", "frontend");

test("HTTPChaos delays what comes into the port, for callers and for probes", () => {
  using world = deployedWorld("online-boutique");
  const before = latencyOf(world);
  experiment(world, "HTTPChaos", "frontend", { target: "Request", port: 8080, delay: "400ms" });
  expect(latencyOf(world) - before).toBeGreaterThan(390);
  end(world, "httpchaos");
  expect(latencyOf(world)).toBeLessThan(before + 50);
});

test("HTTPChaos cuts requests off and changes answers", () => {
  using world = deployedWorld("online-boutique");
  experiment(world, "HTTPChaos", "frontend", { target: "Request", port: 8080, abort: true });
  expect(entrySuccess(world)).toBe(0);
  const pod = podsOf(world, "frontend")[0]?.status.podIP;
  expect(world.network.httpGet("node", pod, 8080, "/", 1000)).toMatchObject({ ok: false, error: "EOF" });
  end(world, "httpchaos");
  experiment(world, "HTTPChaos", "frontend", { target: "Response", port: 8080, replace: { code: 503 } });
  expect(world.network.httpGet("node", pod, 8080, "/", 1000)).toMatchObject({ ok: false, status: 503 });
  end(world, "httpchaos");
  expect(entrySuccess(world)).toBeGreaterThan(0.99);
});

test("TimeChaos shifts what the program takes for now, until its container restarts", () => {
  using world = deployedWorld("online-boutique");
  experiment(world, "TimeChaos", "frontend", { timeOffset: "-24h" });
  world.loop.advance(20_000);
  const container = world.machine
    .byPod(arena, podsOf(world, "frontend")[0]?.metadata.name ?? "")
    ?.containers.get("server");
  const line = container?.logs.at(-1);
  const yesterday = new Date((line?.at ?? 0) - 86_400_000).toISOString().slice(0, 10);
  expect(line?.text).toContain(yesterday);
  end(world, "timechaos");
  expect(container?.clockShift).toBeUndefined();
});

test("a bandwidth below the traffic delays calls and then loses them", () => {
  using world = deployedWorld("online-boutique");
  const before = latencyOf(world);
  const bandwidth = (rate: string) => ({
    action: "bandwidth",
    bandwidth: { rate, limit: 20_000, buffer: 10_000 },
  });
  experiment(world, "NetworkChaos", "frontend", bandwidth("64kbps"));
  expect(latencyOf(world) - before).toBeGreaterThan(20);
  end(world, "networkchaos");
  experiment(world, "NetworkChaos", "frontend", bandwidth("4kbps"));
  expect(entrySuccess(world)).toBeLessThan(0.9);
});
