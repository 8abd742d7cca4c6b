import { isReady, type KubeObject, resources } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createSteppedWorld, type SteppedWorld } from "../testing/stepped-world.ts";
import { aPod } from "../testing/workloads.ts";

const gibibyte = 2 ** 30;
const node = "node-2";

/** Pods on one node, with what each requests and has of its memory, in GiB. */
function running(pods: Readonly<Record<string, { requests?: number; has: number; spec?: object }>>) {
  const world = createSteppedWorld();
  world.createNamespace();
  for (const [name, { requests, spec }] of Object.entries(pods)) {
    const resourcesOf = requests === undefined ? {} : { requests: { memory: `${requests}Gi` } };
    world.create(
      resources.pods,
      aPod({ name, container: { resources: resourcesOf }, spec: { nodeName: node, ...spec } }),
    );
  }
  world.stepUntil(() => world.pods().every(isReady));
  for (const [name, { has }] of Object.entries(pods)) use(world, name, has);
  world.loop.advance(10_000);
  return world;
}

function use(world: SteppedWorld, pod: string, gibibytes: number): void {
  for (const { usage } of world.machine.byPod("shop", pod)?.containers.values() ?? [])
    usage.memory = gibibytes * gibibyte;
}

const ended = (world: SteppedWorld): string[] =>
  world.pods().flatMap(({ metadata, status }) => (status.reason === "Evicted" ? [metadata.name] : []));
const nodeIn = (world: SteppedWorld): KubeObject | undefined =>
  world.store.get(resources.nodes, undefined, node);
const pressure = (world: SteppedWorld): string =>
  nodeIn(world)?.status.conditions.find((each: { type: string }) => each.type === "MemoryPressure")?.status;
const taints = (world: SteppedWorld): string[] =>
  (nodeIn(world)?.spec?.taints ?? []).map(({ key }: { key: string }) => key);

test("a node with less than 100 MiB is under pressure for a minute, and keeps what its pods leave behind", () => {
  const world = running({ hog: { has: 62 }, calm: { requests: 2, has: 1.3 } });
  expect(ended(world)).toEqual(["hog"]);
  world.loop.advance(3000);
  expect([pressure(world), taints(world)]).toEqual(["True", ["node.kubernetes.io/memory-pressure"]]);
  const hog = world.get(resources.pods, "hog");
  expect(hog?.status).toMatchObject({ phase: "Failed", reason: "Evicted" });
  expect(hog?.status.message).toMatch(
    /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: \d+Ki\. Container main was using 65011712Ki, request is 0, has larger consumption of memory\. $/,
  );
  expect(hog?.status.conditions).toContainEqual(
    expect.objectContaining({ type: "DisruptionTarget", reason: "TerminationByKubelet" }),
  );
  expect(world.machine.byPod("shop", "hog")?.containers.size).toBe(0);
  expect(world.events("EvictionThresholdMet")).toHaveLength(1);
  expect(world.events("NodeHasInsufficientMemory")).toHaveLength(1);
  world.create(resources.pods, aPod({ name: "late", spec: { nodeName: node } }));
  world.loop.advance(1000);
  expect(world.get(resources.pods, "late")?.status).toMatchObject({ phase: "Failed", reason: "Evicted" });
  world.loop.advance(40_000);
  expect(pressure(world)).toBe("True");
  world.loop.advance(30_000);
  expect([pressure(world), taints(world)]).toEqual(["False", []]);
  expect(isReady(world.get(resources.pods, "calm") ?? ({} as KubeObject))).toBe(true);
});

test.each([
  [
    "who has more than requested goes first",
    { big: { requests: 60, has: 58.25 }, small: { requests: 1, has: 5 } },
    "small",
  ],
  [
    "then who matters least",
    { big: { has: 58.25, spec: { priority: 10 } }, small: { has: 5, spec: { priority: 5 } } },
    "small",
  ],
  [
    "then who has most beyond its request",
    { big: { requests: 50, has: 52.25 }, small: { has: 11 } },
    "small",
  ],
  [
    "critical pods never",
    { big: { has: 60, spec: { priority: 2_000_000_000 } }, small: { requests: 4, has: 3.25 } },
    "small",
  ],
])("%s", (_, pods, first) => {
  expect(ended(running(pods))).toEqual([first]);
});
