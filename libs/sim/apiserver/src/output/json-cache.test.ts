import type { KubeObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createJsonCache } from "./json-cache.ts";

const named = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name,
    namespace: "shop",
    uid: name,
    resourceVersion: "1",
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
});

test("an object is written once for all who read it, and no more is kept than may be", () => {
  const [first, second, third] = ["first", "second", "third"].map(named);
  if (!first || !second || !third) throw new Error("three objects");
  const one = JSON.stringify(first).length;
  const cache = createJsonCache(2.5 * one);
  const written = cache.object(first);
  expect(JSON.parse(String(written))).toEqual(first);
  // What is kept keeps nothing else.
  expect(written.buffer.byteLength).toBe(written.length);
  cache.object(second);
  expect(cache.object(first)).toBe(written);
  // The second was read longest ago.
  const before = cache.object(third);
  expect(cache.object(first)).toBe(written);
  expect(cache.object(third)).toBe(before);
  expect(cache.metadata(first)).not.toBe(written);
});

test("values count as what they take, and are the same for all who read them", () => {
  const history = Array.from({ length: 20 }, (_, i) => named(`of-round-${i}`));
  const cache = createJsonCache(8.5 * JSON.stringify(history[0]).length);
  const values = history.map((object) => cache.value(object));
  expect(values).toEqual(history);
  expect(Object.isFrozen(values[0])).toBe(true);
  const still = history.toReversed().filter((object, i) => cache.value(object) === values.at(-1 - i));
  expect(still.map(({ metadata }) => metadata.name)).toEqual(["of-round-19", "of-round-18"]);
});

test("the JSON of what is kept elsewhere is not kept with it", () => {
  const cache = createJsonCache(1_000);
  const history = Array.from({ length: 500 }, (_, i) => named(`of-round-${i}`));
  const written = history.map((object) => cache.object(object));
  const still = history.filter((object, i) => cache.object(object) === written[i]);
  expect(still.length).toBeLessThan(20);
});
