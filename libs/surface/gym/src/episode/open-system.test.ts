import { kinds } from "@microremed/cluster";
import { silentLogger } from "@microremed/core";
import { builtInCatalogue } from "@microremed/registry";
import { expect, test } from "vitest";
import { openSystem, type SystemNow } from "./open-system.ts";
import { interpreted } from "./playbooks.ts";

const { environments } = await builtInCatalogue();

const named = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
});
const add =
  (name: string) =>
  async ({ clusters }: SystemNow) => {
    const cluster = await clusters.get("embedded");
    await cluster.apply(named(name));
    const all = await cluster.list(kinds.configMap, { namespace: "default" });
    return all.map(({ metadata }) => metadata.name).filter((one) => one?.startsWith("own-"));
  };

test("work at a moment finds what was there, and the last one keeps no moment", async () => {
  await using system = openSystem(environments.get("simple-micro"), interpreted, silentLogger);
  const first = await system.at(undefined, add("own-a"));
  const second = await system.at(first.moment, add("own-b"));
  const last = await system.at(first.moment, add("own-c"), {
    isLast: (found) => found.includes("own-c"),
  });
  expect([first.value, second.value, last.value]).toEqual([
    ["own-a"],
    ["own-a", "own-b"],
    ["own-a", "own-c"],
  ]);
  expect(last.moment).toBeUndefined();
  expect((await system.at(second.moment, add("own-d"))).value).toEqual(["own-a", "own-b", "own-d"]);
});

test("work that is aborted while it waits for its turn is not begun, and the others go on", async () => {
  await using system = openSystem(environments.get("simple-micro"), interpreted, silentLogger);
  const { promise: long, resolve: finish } = Promise.withResolvers<void>();
  const first = system.at(undefined, () => long);
  const stop = new AbortController();
  let isBegun = false;
  const begin = async (): Promise<void> => {
    isBegun = true;
  };
  const waiting = system.at(undefined, begin, { signal: stop.signal });
  stop.abort(new Error("its deadline is over"));
  await expect(waiting).rejects.toThrow("its deadline is over");
  finish();
  await first;
  expect((await system.at(undefined, add("own-a"))).value).toEqual(["own-a"]);
  expect(isBegun).toBe(false);
});
