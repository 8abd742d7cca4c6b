import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { withAlternatives } from "./alternatives.ts";
import { normalise } from "./normalise.ts";

const policy = (mode: string, metadata: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "policy", namespace: "shop", ...metadata },
  data: { mode },
});
const wanted = [normalise(policy("halt"))];
const record = { alternatives: [normalise(policy("skip"))] };

test("an object that is right in another way, too, is expected as it is", () => {
  const live = policy("skip", { uid: "u", resourceVersion: "7" });
  expect(withAlternatives(record, wanted, [live])).toEqual(record.alternatives);
});

test.each([
  ["as it was", [policy("halt")]],
  ["in a third way", [policy("panic")]],
  ["as the other, with more", [{ ...policy("skip"), data: { mode: "skip", more: "x" } }]],
  ["gone", []],
])("one that is %s is compared with what it was", (_, live) => {
  expect(withAlternatives(record, wanted, live)).toEqual(wanted);
});
