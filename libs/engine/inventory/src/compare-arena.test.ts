import { expect, test } from "vitest";
import { compareArena } from "./compare-arena.ts";
import { around, environment, healthy, record, stress, target } from "./testing/judged-arena.ts";

test("before an injection what the cluster put there is no change, and a leftover of a fault is", () => {
  const expected = {
    environment,
    target,
    record: record.objects,
    mark: undefined,
    resourcesMayDiffer: false,
  };
  const quota = around({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" } });
  expect(compareArena(expected, quota)).toEqual([]);
  expect(compareArena(expected, healthy)).toEqual([]);
  expect(compareArena(expected, stress)).toMatchObject([{ class: "acts" }]);
});
