import { kinds } from "@microremed/cluster";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { prepareArena } from "./prepare-arena.ts";
import { restoreArena } from "./restore-arena.ts";
import { arenaOn, kubectlAs, startWorld } from "./testing/world.ts";

const { environments } = await builtInCatalogue();
const shop = environments.get("simple-micro");

test("an agent fills its arena up to a quota that it cannot change, and the arena is restored", async () => {
  await using world = await startWorld("quota", shop);
  const { cluster } = world;
  const arena = arenaOn(cluster, shop);
  const { namespace } = arena;
  await prepareArena(arena, { redeploy: false, timeoutSeconds: 900 });
  const agent = await kubectlAs(await cluster.agentKubeconfig(namespace, { readOnly: false }));

  const found = await agent("get resourcequota -o jsonpath={.items[*].metadata.name}");
  expect(found).toEqual({ code: 0, output: "object-counts" });
  for (const line of [
    "delete resourcequota object-counts",
    'patch resourcequota object-counts -p {"spec":{"hard":{"configmaps":"9999"}}}',
    "create quota more --hard=pods=9999",
  ])
    expect((await agent(line)).output).toMatch(/forbidden/i);

  const items = Array.from({ length: 150 }, (_, index) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `filler-${index}`, finalizers: ["example.com/never"] },
  }));
  const filled = await agent("create -f -", { apiVersion: "v1", kind: "List", items });
  expect(filled.code).not.toBe(0);
  expect(filled.output).toMatch(/exceeded quota: object-counts, requested: configmaps=1/);
  const secrets = items.map((item) => ({ ...item, kind: "Secret" }));
  expect((await agent("create -f -", { apiVersion: "v1", kind: "List", items: secrets })).output).toMatch(
    /exceeded quota: object-counts, requested: secrets=1/,
  );

  await agent("delete configmaps,secrets --all --wait=false");
  await agent("delete deployments --all");
  const options = { failure: "none", target: "none", concealment: "neutral", timeoutSeconds: 600 } as const;
  expect(await restoreArena(arena, options)).toMatchObject({ how: "reset" });
  const left = await cluster.list(kinds.configMap, { namespace });
  expect(left.filter(({ metadata }) => metadata.name.startsWith("filler-"))).toEqual([]);
});
