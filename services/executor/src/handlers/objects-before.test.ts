import type { Cluster, KubeObject } from "@microremed/cluster";
import { deepFrozen } from "@microremed/core";
import { expect, test } from "vitest";
import { changedSince, readWritable } from "./objects-before.ts";

const configMap = (value: string): KubeObject => ({
  ...{ apiVersion: "v1", kind: "ConfigMap", data: { value }, status: { seen: true } },
  metadata: { name: "settings", namespace: "shop", uid: "u1", resourceVersion: "7" },
});

/** A cluster with this one object. */
const holding = (object: KubeObject): Pick<Cluster, "list"> => ({
  list: async (kind) => (kind.kind === object.kind ? [object as never] : []),
});

const read = async (object: KubeObject) => readWritable(holding(object), "shop");

test("what a cluster gives frozen is read once, and anything else every time", async () => {
  const frozen = deepFrozen(configMap("a"));
  const [first, second] = [await read(frozen), await read(frozen)];
  expect(first.get("ConfigMap/settings")).toEqual({
    ...{ apiVersion: "v1", kind: "ConfigMap", data: { value: "a" } },
    metadata: { name: "settings", namespace: "shop" },
  });
  expect(second.get("ConfigMap/settings")).toBe(first.get("ConfigMap/settings"));
  expect(changedSince(first, second)).toEqual([]);

  const changing = { ...configMap("a"), data: { value: "a" } };
  const before = await read(changing);
  changing.data.value = "b";
  expect(changedSince(before, await read(changing))).toMatchObject([
    { kind: "ConfigMap", name: "settings", before: { data: { value: "a" } } },
  ]);
});

test("what is new, gone or changed is there as it was", async () => {
  const nothing = await read({ ...configMap("a"), kind: "Nothing" });
  const there = await read(deepFrozen(configMap("a")));
  const changed = await read(deepFrozen(configMap("b")));
  const was = { data: { value: "a" } };
  expect(changedSince(nothing, there)).toMatchObject([{ name: "settings", before: null }]);
  expect(changedSince(there, nothing)).toMatchObject([{ name: "settings", before: was }]);
  expect(changedSince(there, changed)).toMatchObject([{ name: "settings", before: was }]);
});
