import { resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aDeployment } from "../testing/workloads.ts";

function worldOf(spec: object, replicas: number): SteppedWorld {
  const world = createSteppedWorld();
  world.createNamespace();
  world.create(resources.deployments, aDeployment({ replicas, spec }));
  world.loop.advance(15_000);
  return world;
}

const nodesOf = (world: SteppedWorld): readonly string[] =>
  world.pods().flatMap((pod) => pod.spec.nodeName ?? []);
const withHostPort = (hostPort: number) => ({
  containers: [{ name: "web", image: "nginx:1.25", ports: [{ containerPort: 80, hostPort }] }],
});

test("puts one pod with a port of the node on each node, and says why the fourth finds none", () => {
  const world = worldOf(withHostPort(8080), 4);
  expect(new Set(nodesOf(world)).size).toBe(3);
  expect(nodesOf(world)).toHaveLength(3);
  expect(world.events("FailedScheduling")[0]?.["message"]).toBe(
    "0/3 nodes are available: 3 node(s) didn't have free ports for the requested pod ports. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.",
  );
});

test("leaves pods that name another scheduler to it, without a word", () => {
  const world = worldOf({ schedulerName: "batch-scheduler" }, 1);
  expect(nodesOf(world)).toEqual([]);
  expect(world.events("FailedScheduling")).toEqual([]);
  expect(world.pods()).toHaveLength(1);
});
