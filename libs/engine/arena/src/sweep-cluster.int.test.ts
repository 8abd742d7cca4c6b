import { type Cluster, harnessNamespace, kinds, labelsOf } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareArena } from "./prepare-arena.ts";
import { sweepCluster } from "./sweep-cluster.ts";
import { arenaOn, startWorld, type World } from "./testing/world.ts";

const catalogue = await builtInCatalogue();
const { environments, faults } = catalogue;

const micro = environments.get("simple-micro");
const { namespace } = micro;
const target = "hello-service";
const hours = (n: number): number => n * 3_600_000;
let world: World;
let cluster: Cluster;

beforeAll(async () => {
  world = await startWorld("swept", micro);
  cluster = world.cluster;
  await prepareArena(
    { ...arenaOn(cluster, micro), lease: { slot: 0, fence: 3 } },
    { redeploy: false, timeoutSeconds: 600 },
  );
});

afterAll(() => world[Symbol.asyncDispose]());

/** Sweeps while the arena 0 is like this. */
function sweep(
  { range = "test", ...arena }: { range?: string; fence?: number; episode?: string | null; known?: boolean },
  now = Date.now(),
) {
  const status = { fence: 3, episode: null, known: true, ...arena };
  const get = async ({ cluster, slot }: { cluster: string; slot: number }) => ({
    cluster,
    slot,
    deployed: null,
    quarantined: null,
    quarantinedAt: null,
    ...status,
  });
  return sweepCluster({ cluster, range, arenas: { get }, log: silentLogger, now, idleMs: hours(4) });
}

test("nothing is removed while an episode holds the arena, nor from one that is in order", async () => {
  await faults.get("pod-fail").inject({ ...arenaOn(cluster, micro), target });
  expect(await sweep({ episode: "x.0001" })).toEqual([]);
  // A lease of which the range knows nothing is of a time after its backup was made.
  expect(await sweep({ fence: 2, known: false })).toEqual([]);
  expect(await sweep({ range: "another", fence: 9, known: false }, Date.now() + hours(9))).toEqual([]);
});

test("a fault without a lease is removed, also a concealed one, and nothing else is", async () => {
  await faults.get("cpu-stress").inject({ ...arenaOn(cluster, micro), target, concealment: "neutral" });
  const removed = await sweep({});
  expect(removed).toHaveLength(2);
  expect(removed.join()).toMatch(/Chaos/);
  await expect.poll(() => sweep({})).toEqual([]);
  expect(await cluster.get(kinds.namespace, undefined, namespace)).toBeDefined();
});

test("what the harness kept for a namespace that is gone is removed", async () => {
  const metadata = { name: "arena-gone", namespace: harnessNamespace, labels: labelsOf("gone") };
  await cluster.apply({ apiVersion: "v1", kind: "Secret", metadata, data: {} });
  await cluster.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata });
  expect((await sweep({})).toSorted()).toEqual([
    "Secret microremed/arena-gone",
    "ServiceAccount microremed/arena-gone",
  ]);
});

test("the namespace of an arena that is no more is removed, and one that another environment has replaced, after an hour", async () => {
  expect(await sweep({ fence: 4 })).toEqual([]);
  expect(await sweep({ fence: 4, episode: "x.0002" }, Date.now() + hours(2))).toEqual([]);
  expect(await sweep({ fence: 4 }, Date.now() + hours(2))).toEqual([`Namespace ${namespace}`]);
  // The arena's next holder waits until the old one is gone, and keeps its own.
  const arena = { ...arenaOn(cluster, micro), lease: { slot: 0, fence: 5 } };
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 600 });
  expect(await sweep({ fence: 5 }, Date.now() + hours(2))).toEqual([]);
  // One that was not used for long gives its namespace back, whatever it is kept for; not while it is held.
  expect(await sweep({ fence: 5, episode: "x.0003" }, Date.now() + hours(5))).toEqual([]);
  expect(await sweep({ fence: 5 }, Date.now() + hours(5))).toContain(`Namespace ${namespace}`);
  await prepareArena({ ...arena, lease: { slot: 0, fence: 6 } }, { redeploy: false, timeoutSeconds: 600 });
  expect(await sweep({ fence: 6, known: false })).toContain(`Namespace ${namespace}`);
});
