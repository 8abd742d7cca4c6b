import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { changesOutside, readOutside } from "./index.ts";

const read = (spec: object) => {
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "worker-1" }, spec } as KubeObject;
  return readOutside({
    list: async ({ kind }: { kind: string }) => (kind === "Node" ? [node] : []),
  } as never);
};
const taint = (key: string) => ({ key, effect: "NoSchedule", timeAdded: "2026-01-01T00:00:00Z" });
const podCIDR = "10.0.0.0/24";

test.each([
  "node.kubernetes.io/not-ready",
  "node.kubernetes.io/unreachable",
  "node.kubernetes.io/memory-pressure",
])("a node's own taint %s is no change", async (key) => {
  const before = await read({ podCIDR });
  expect(changesOutside(before, await read({ podCIDR, taints: [taint(key)] }))).toEqual([]);
});

test.each([
  ["a cordon", { podCIDR, unschedulable: true, taints: [taint("node.kubernetes.io/unschedulable")] }],
  ["a taint of a client", { podCIDR, taints: [taint("node.kubernetes.io/out-of-service")] }],
  ["another taint", { podCIDR, taints: [taint("node.kubernetes.io/not-ready"), taint("mine")] }],
])("%s is one", async (_, spec) => {
  expect(changesOutside(await read({ podCIDR }), await read(spec))).toEqual([
    { where: "cluster", what: "changed", object: "Node/worker-1", detail: "", class: "privilege" },
  ]);
});
