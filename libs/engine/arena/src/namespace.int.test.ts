import { type Cluster, kinds } from "@microremed/cluster";
import { connectCluster } from "@microremed/cluster/kubeconfig";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { claimNamespace, holdOn, letGo, useOf } from "./namespace.ts";
import { sweepCluster } from "./sweep-cluster.ts";
import { arenaOn, startWorld, type World } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const micro = environments.get("simple-micro");
let world: World;

beforeAll(async () => {
  world = await startWorld("claimed", micro);
});

afterAll(() => world[Symbol.asyncDispose]());

const claimOf = (range: string, namespace: string) => ({
  ...arenaOn(world.cluster, micro, namespace),
  range,
});

async function useIn(namespace: string, cluster: Cluster = world.cluster) {
  const found = await cluster.get(kinds.namespace, undefined, namespace);
  if (!found) throw new Error(`there is no namespace ${namespace}`);
  return { found, use: useOf(found) };
}

/** As if the range that holds it had said so long ago that it lives. */
async function setHeldAt(namespace: string, heldAt: number): Promise<void> {
  const body = { metadata: { annotations: { "microremed.io/held-at": String(heldAt) } } };
  await world.cluster.patch(kinds.namespace, undefined, namespace, { type: "merge", body });
}

test("a namespace that another range holds is refused with the range's name, until that range lets go", async () => {
  const [ours, theirs] = [claimOf("range-a", "place"), claimOf("range-b", "place")];
  await claimNamespace(ours);
  await claimNamespace({ ...ours, lease: { slot: 0, fence: 2 } });
  await expect(claimNamespace(theirs)).rejects.toMatchObject({
    code: "cluster-refused",
    message: expect.stringMatching(/namespace place .* held by another range, range-a,/),
  });
  expect((await useIn("place")).use).toMatchObject({ range: "range-a", fence: 2 });
  await letGo(ours);
  await claimNamespace(theirs);
  expect((await useIn("place")).use).toMatchObject({ range: "range-b", fence: 1 });
});

test("a range that has not said for five minutes that it lives holds nothing", async () => {
  await claimNamespace(claimOf("range-a", "abandoned"));
  await setHeldAt("abandoned", Date.now() - 301_000);
  await claimNamespace(claimOf("range-b", "abandoned"));
  expect((await useIn("abandoned")).use).toMatchObject({ range: "range-b" });
});

test("of two ranges that claim at the same moment one gets the namespace, be it new or let go", async () => {
  const both = ["range-a", "range-b"].map((range) => claimOf(range, "wanted"));
  const claim = async (): Promise<void> => {
    const ends = await Promise.allSettled(both.map(claimNamespace));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  };
  await claim();
  for (const arena of both) await letGo(arena);
  await claim();
});

test("the janitor says of a namespace where an episode of its range is at work that the range lives", async () => {
  const { kubeconfig } = world;
  // Without a served clock, as a real cluster.
  await using cluster = await connectCluster({ name: "real", kubeconfig, arenas: 1 }, { log: silentLogger });
  await claimNamespace(claimOf("range-a", "kept"));
  const sweep = (range: string, episode: string | null) => {
    const status = { fence: 1, episode, known: true, deployed: null, quarantined: null, quarantinedAt: null };
    const get = async (arena: { cluster: string; slot: number }) => ({ ...arena, ...status });
    const options = { range, arenas: { get }, log: silentLogger, now: Date.now(), idleMs: 3_600_000 };
    return sweepCluster({ cluster, ...options });
  };
  for (const [range, episode] of [
    ["range-b", "x.0001"],
    ["range-a", null],
  ] as const) {
    await setHeldAt("kept", 1);
    await sweep(range, episode);
    expect((await useIn("kept")).use).toMatchObject({ heldAt: 1 });
  }
  await sweep("range-a", "x.0001");
  expect((await useIn("kept")).use?.heldAt).toBeGreaterThan(1);
  // One that has changed since is left as it is.
  const { found } = await useIn("kept");
  await setHeldAt("kept", 2);
  await holdOn(cluster, found);
  expect((await useIn("kept")).use).toMatchObject({ heldAt: 2 });
});
