import { type Cluster, harnessNamespace, kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, onTestFinished, test } from "vitest";
import { setLoad } from "./load.ts";
import { arenaOn, openLocalWorld } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const micro = environments.get("simple-micro");
const pattern = { shape: "constant", factor: 2 } as const;

/** A cluster on which nothing says that it follows an order. */
function withoutGenerator(cluster: Cluster): Cluster {
  const get: Cluster["get"] = async (kind, namespace, name) => {
    const found = await cluster.get(kind, namespace, name);
    if (!found || kind.kind !== "ConfigMap") return found as undefined;
    return { ...found, metadata: { ...found.metadata, annotations: {} } } as never;
  };
  return { ...cluster, get };
}

async function openWithHarness() {
  const world = openLocalWorld(micro);
  const metadata = { name: harnessNamespace };
  await world.cluster.create({ apiVersion: "v1", kind: "Namespace", metadata });
  return world;
}

const orders = (cluster: Cluster) =>
  cluster.list(kinds.configMap, { namespace: harnessNamespace, labelSelector: "microremed.io/arena" });

test("a load that a generator takes stays ordered; one that nothing follows is taken back and said so", async () => {
  const world = await openWithHarness();
  const { cluster } = world;
  onTestFinished(() => world[Symbol.dispose]());
  const now = await cluster.clock.now();
  await setLoad(arenaOn(cluster, micro), pattern, "seed", now);
  expect(await orders(cluster)).toHaveLength(1);

  const other = await openWithHarness();
  onTestFinished(() => other[Symbol.dispose]());
  const arena = arenaOn(withoutGenerator(other.cluster), micro);
  await expect(setLoad(arena, pattern, "seed", now)).rejects.toMatchObject({
    code: "load-not-followed",
    message: expect.stringContaining(`namespace ${micro.namespace} to follow its order`),
  });
  expect(await orders(other.cluster)).toEqual([]);
});
