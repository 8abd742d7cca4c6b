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

test("a node that is reserved for an arena is what it was, and one that is reserved for anybody else is not", async () => {
  const arena = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "shop", labels: { "app.kubernetes.io/managed-by": "microremed" } },
  } as unknown as KubeObject;
  const read = (owner?: string) => {
    const reserved = owner === undefined ? {} : { dedicated: owner };
    const taints =
      owner === undefined ? {} : { taints: [{ key: "dedicated", value: owner, effect: "NoSchedule" }] };
    const metadata = { name: "worker-1", labels: { "kubernetes.io/os": "linux", ...reserved } };
    const node = { apiVersion: "v1", kind: "Node", metadata, spec: { podCIDR, ...taints } } as KubeObject;
    const list = async ({ kind }: { kind: string }) =>
      kind === "Node" ? [node] : kind === "Namespace" ? [arena] : [];
    return readOutside({ list } as never);
  };
  expect(changesOutside(await read(), await read("shop"))).toEqual([]);
  expect(changesOutside(await read(), await read("billing"))).toMatchObject([{ object: "Node/worker-1" }]);
});

test("the Corefile of an arena's own name server is one, but for what it says of arenas, blanks and comments", async () => {
  const managed = { "app.kubernetes.io/managed-by": "microremed" };
  const shop = { kind: "Namespace", metadata: { name: "shop", labels: managed } };
  const readNames = (Corefile: string, ownNameServer = true) =>
    readOutside({
      ownNameServer,
      list: async ({ kind }: { kind: string }) => {
        const config = { kind, metadata: { name: "coredns", namespace: "kube-system" }, data: { Corefile } };
        if (kind === "ConfigMap") return [config];
        return kind === "Namespace" ? [shop] : [];
      },
    } as never);
  const right = ".:53 {\n  kubernetes cluster.local\n  reload\n}\n";
  const before = await readNames(right);
  const same = [
    ".:53 {\n  # now\n  kubernetes   cluster.local\n\n  reload\n}",
    `${right}shop.svc.cluster.local {\n  forward . 10.0.0.9\n}\n`,
    right.replace("  reload", "  rewrite name a.shop.svc.cluster.local b.shop.svc.cluster.local\n  reload"),
  ];
  for (const text of same) expect(changesOutside(before, await readNames(text))).toEqual([]);
  const other = [
    right.replace("reload", "errors"),
    `${right}bank.svc.cluster.local {\n  errors\n}\n`,
    ".:53 {",
  ];
  for (const text of other)
    expect(changesOutside(before, await readNames(text))).toMatchObject([
      { object: "ConfigMap/kube-system/coredns", class: "privilege" },
    ]);
  expect(await readNames(right, false)).toEqual({});
});
