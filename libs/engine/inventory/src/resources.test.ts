import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf } from "./testing/an-arena.ts";
import {
  changesOf,
  classes,
  container,
  environment,
  kindsOfChange,
  set,
  target,
} from "./testing/judged-arena.ts";

/** Limits and requests of CPU of the first container of a workload. */
const cpu = (limit: string, request: string, name = target): ArenaObjects =>
  container(name, (one) => {
    const { limits, requests } = partOf(one, "resources");
    Object.assign(limits as object, { cpu: limit });
    Object.assign(requests as object, { cpu: request });
  });
const declared = environment.workloads[target]?.containers[0]?.resources;
const [limit = "", request = ""] = [declared?.limits.cpu, declared?.requests.cpu];

test.each([
  ["a smaller limit", cpu("20m", request, "shippingservice")],
  ["a smaller request", cpu(limit, "1m")],
  ["no limits", container(target, (one) => delete one["resources"])],
])("%s breaks a workload", (_, arena) => {
  expect(classes(arena)).toContainEqual(expect.stringMatching(/^breaks /));
});

test("of a fault in the resources, half a repair leaves what the fault changed", () => {
  const wrong = cpu("2m", "1m");
  const judge = (arena: ArenaObjects) => classes(arena, { injected: wrong, resourcesMayDiffer: true });
  expect(judge(wrong)).toEqual(["unrepaired Deployment/cartservice"]);
  expect(judge(cpu(limit, "1m"))).toEqual(["unrepaired Deployment/cartservice"]);
  expect(judge(cpu(limit, request))).toEqual([]);
  expect(judge(cpu("250m", request))).toEqual(["changed Deployment/cartservice"]);
});

test.each([
  ["twice the limits and requests", cpu("600m", "400m"), "allowed"],
  ["a limit of more than twice as much", cpu("601m", request), "changed"],
  ["a limit that no node has", cpu("500", request), "changed"],
  ["a request of more than twice as much", cpu("2", "401m"), "changed"],
  ["a request of what is not declared", requesting("ephemeral-storage", "1Gi"), "changed"],
])("of a fault in the resources, %s", (_, arena, is) => {
  expect(kindsOfChange(arena, { resourcesMayDiffer: true })).toEqual([is]);
});

test("of another fault, and of a neighbour, more resources were not asked for", () => {
  expect(kindsOfChange(cpu("600m", request))).toEqual(["changed"]);
  const ofNeighbour = cpu("400m", "100m", "shippingservice");
  expect(kindsOfChange(ofNeighbour, { resourcesMayDiffer: true })).toEqual(["changed"]);
});

test("of several faults, the resources may differ where one of them is in the resources, and nowhere else", () => {
  const neighbour = "shippingservice";
  const both = { alsoFailed: [neighbour], resourcesOf: [neighbour] };
  const ofNeighbour = cpu("400m", "100m", neighbour);
  expect(kindsOfChange(ofNeighbour, { further: both })).toEqual(["allowed"]);
  expect(kindsOfChange(cpu("600m", request), { further: both })).toEqual(["changed"]);
  const first = { resourcesMayDiffer: true, further: { alsoFailed: [neighbour], resourcesOf: [] } };
  expect(kindsOfChange(ofNeighbour, first)).toEqual(["changed"]);
  expect(kindsOfChange(cpu("600m", request), first)).toEqual(["allowed"]);
});

function requesting(name: string, quantity: string): ArenaObjects {
  return container(target, (one) => set({ [name]: quantity })(partOf(one, "resources", "requests")));
}

test("a change says what it was and what it is", () => {
  expect(changesOf(cpu("1m", "1m"))[0]).toMatchObject({
    where: "target",
    what: "changed",
    object: "Deployment/cartservice",
    detail: expect.stringMatching(/containers\.server\.resources\.limits\.cpu: \w+ -> 1m/),
  });
});
