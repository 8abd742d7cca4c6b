import { createRng } from "@microremed/core";
import type { KubeObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { matchingPods, type Selection, selectContainers, selectPods } from "./selection.ts";

function aPod(
  name: string,
  fields: { labels?: Record<string, string>; node?: string; phase?: string } = {},
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "shop",
      uid: name,
      resourceVersion: "1",
      creationTimestamp: "",
      labels: fields.labels ?? {},
    },
    spec: { nodeName: fields.node ?? "n1", containers: [{ name: "a" }, { name: "b" }] },
    status: { phase: fields.phase ?? "Running" },
  };
}

const pods = [
  aPod("a", { labels: { app: "x", tier: "1" } }),
  aPod("b", { labels: { app: "x" }, node: "n2", phase: "Pending" }),
  aPod("c", { labels: { app: "y" } }),
  aPod("d", { labels: { app: "x" } }),
];
const nodes = [
  { ...aPod("n1"), metadata: { ...aPod("n1").metadata, labels: { zone: "east" } } },
  { ...aPod("n2"), metadata: { ...aPod("n2").metadata, labels: { zone: "west" } } },
];
const names = (selector: Parameters<typeof matchingPods>[0]): readonly string[] =>
  matchingPods(selector, pods, nodes).map((pod) => pod.metadata.name);

test.each<[string, Parameters<typeof matchingPods>[0], readonly string[]]>([
  ["nothing: every pod", {}, ["a", "b", "c", "d"]],
  ["labels", { labelSelectors: { app: "x" } }, ["a", "b", "d"]],
  ["namespaces", { namespaces: ["other"] }, []],
  [
    "expressions",
    {
      expressionSelectors: [
        { key: "tier", operator: "DoesNotExist" },
        { key: "app", operator: "In", values: ["x"] },
      ],
    },
    ["b", "d"],
  ],
  ["phases", { podPhaseSelectors: ["Pending"] }, ["b"]],
  ["excluded phases", { podPhaseSelectors: ["!Pending"] }, ["a", "c", "d"]],
  ["nodes", { nodes: ["n2"] }, ["b"]],
  ["node labels", { nodeSelectors: { zone: "east" } }, ["a", "c", "d"]],
  ["fields", { fieldSelectors: { "spec.nodeName": "n2" } }, ["b"]],
  ["pods, ignoring all else", { pods: { shop: ["c", "gone"] }, labelSelectors: { app: "x" } }, ["c"]],
])("selects by %s", (_what, selector, expected) => {
  expect(names(selector)).toEqual(expected);
});

test.each<[Selection, number]>([
  [{ mode: "one" }, 1],
  [{ mode: "all" }, 4],
  [{ mode: "fixed", value: "3" }, 3],
  [{ mode: "fixed", value: "9" }, 4],
  [{ mode: "fixed-percent", value: "30" }, 2],
])("takes as many as the mode %o says", (selection, count) => {
  expect(selectPods(selection, pods, nodes, createRng(7))).toHaveLength(count);
});

test("random-max-percent may take none and never takes more than the share", () => {
  const counts = Array.from(
    { length: 50 },
    (_, seed) => selectPods({ mode: "random-max-percent", value: "50" }, pods, nodes, createRng(seed)).length,
  );
  expect([Math.min(...counts), Math.max(...counts)]).toEqual([0, 2]);
});

test("the seed decides which pod mode one selects", () => {
  const taken = (seed: number) => selectPods({ mode: "one" }, pods, nodes, createRng(seed))[0]?.metadata.name;
  expect(taken(3)).toBe(taken(3));
  expect(new Set(Array.from({ length: 30 }, (_, seed) => taken(seed))).size).toBe(4);
});

test("names what is missing", () => {
  expect(() => selectPods({ selector: { labelSelectors: { app: "z" } } }, pods, nodes, createRng(1))).toThrow(
    "no pod is selected",
  );
  expect(() => names({ nodes: ["n9"] })).toThrow('Node "n9" not found');
});

test("acts on the first container unless names are given", () => {
  expect(selectContainers(aPod("a"), undefined)).toEqual(["a"]);
  expect(selectContainers(aPod("a"), ["b", "z"])).toEqual(["b"]);
});
