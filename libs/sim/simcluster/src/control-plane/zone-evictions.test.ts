import { atRate, zoneRates } from "@microremed/sim-controllers";
import { type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";

const node = (name: string, isReady: boolean, zone = "a"): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name,
    uid: name,
    resourceVersion: "1",
    creationTimestamp: "",
    labels: { "topology.kubernetes.io/zone": zone },
  },
  status: { conditions: [{ type: "Ready", status: isReady ? "True" : "Unknown" }] },
});
const nodes = (ready: number, lost: number, zone?: string): KubeObject[] =>
  Array.from({ length: ready + lost }, (_, index) => node(`${zone}-${index}`, index < ready, zone));
const rates = (...all: KubeObject[]): number[] => [...zoneRates(all).values()];

test("a zone slows down, or stops when it is small, while 55 % and at least three of its nodes are lost", () => {
  expect(rates(...nodes(1, 2))).toEqual([0.1]);
  expect(rates(...nodes(3, 3))).toEqual([0.1]);
  expect(rates(...nodes(2, 3))).toEqual([0]);
  expect(rates(...nodes(20, 30))).toEqual([0]);
  expect(rates(...nodes(20, 40))).toEqual([0.01]);
});

test("a zone that is gone altogether is evicted at the usual rate, unless all zones are", () => {
  expect(rates(...nodes(0, 4, "a"), ...nodes(1, 0, "b"))).toEqual([0.1, 0.1]);
  expect(rates(...nodes(0, 4, "a"), ...nodes(0, 1, "b"))).toEqual([0, 0]);
});

test("a limiter that had nothing to give starts empty", () => {
  expect(atRate(undefined, 0.1, 5000)).toEqual({ rate: 0.1, nextAt: 5000 });
  expect(atRate({ rate: 0, nextAt: 0 }, 0.1, 5000)).toEqual({ rate: 0.1, nextAt: 15_000 });
  expect(atRate({ rate: 0.1, nextAt: 0 }, 0.01, 5000)).toEqual({ rate: 0.01, nextAt: 5000 });
});

const evicted = (world: SteppedWorld): string[] =>
  world.store
    .list(resources.nodes)
    .filter((each) => each.spec?.taints?.some(({ effect }: { effect: string }) => effect === "NoExecute"))
    .map(({ metadata }) => metadata.name);

test("nodes that fall silent together are tainted ten seconds apart", () => {
  const world = createSteppedWorld();
  world.loop.advance(15_000);
  for (const name of ["node-1", "node-2"]) world.kubelet.nodes.set(name, "off");
  world.stepUntil(() => evicted(world).length === 1, 60);
  expect(world.stepUntil(() => evicted(world).length === 2, 60)).toBeCloseTo(10, 0);
});

test("when no node answers nothing is evicted; what was tainted for it is taken back", () => {
  const world = createSteppedWorld();
  world.loop.advance(15_000);
  world.kubelet.nodes.set("node-1", "off");
  world.stepUntil(() => evicted(world).length === 1, 60);
  for (const name of ["node-2", "node-3"]) world.kubelet.nodes.set(name, "off");
  world.loop.advance(120_000);
  expect(evicted(world)).toEqual([]);
  expect(world.store.get(resources.nodes, undefined, "node-2")?.spec?.taints).toMatchObject([
    { key: "node.kubernetes.io/unreachable", effect: "NoSchedule" },
  ]);
  world.kubelet.nodes.set("node-3", "running");
  world.stepUntil(() => evicted(world).length === 2, 60);
});
