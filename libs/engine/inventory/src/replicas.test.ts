import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf } from "./testing/an-arena.ts";
import { container, deployment, environment, kindsOfChange, set, target } from "./testing/judged-arena.ts";

const scaled = (name: string, replicas: number): ArenaObjects => deployment(name, set({ replicas }));

test.each([
  ["one more of the target", scaled(target, 2), "allowed"],
  ["many more of the target", scaled(target, 3), "changed"],
  ["more of a neighbour", scaled("shippingservice", 2), "changed"],
  ["none of a neighbour", scaled("shippingservice", 0), "breaks"],
  ["a second store beside the first", scaled("redis-cart", 2), "breaks"],
] as [string, ArenaObjects, string][])("replicas: %s", (_, arena, is) => {
  expect(kindsOfChange(arena)).toEqual([is]);
});

test("a store that was the target is split like any other", () => {
  expect(kindsOfChange(scaled("redis-cart", 2), { target: "redis-cart" })).toEqual(["breaks"]);
});

test("twice the replicas with twice the limits are four times as much", () => {
  const cpu = environment.workloads[target]?.containers[0]?.resources.limits.cpu ?? "";
  const doubled = container(target, (one) =>
    set({ cpu: `${2 * Number.parseInt(cpu, 10)}m` })(partOf(one, "resources", "limits")),
  );
  const judge = (arena: ArenaObjects) => kindsOfChange(arena, { resourcesMayDiffer: true });
  expect(judge(doubled)).toEqual(["allowed"]);
  expect(judge(scaled(target, 2))).toEqual(["allowed"]);
  expect(judge(deployment(target, set({ replicas: 2 }), doubled))).toEqual(["changed"]);
});
