import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { keepsOff, otherNodes } from "./placement.ts";

const node = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", ...labels } },
});
const nodes = [node("a", { zone: "one" }), node("b", { zone: "one" }), node("c", { zone: "two" })];
const containers = [{ name: "c" }];
const away = (key: string, operator: string, ...values: string[]) => ({
  containers,
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values }] }],
      },
    },
  },
});

test.each([
  ["a selector of another zone", { containers, nodeSelector: { zone: "two" } }],
  ["affinity that excludes the node", away("kubernetes.io/hostname", "NotIn", "a")],
  ["affinity for other nodes", away("kubernetes.io/hostname", "In", "b", "c")],
])("%s keeps pods off the node", (_, template) => {
  expect(keepsOff(template, nodes, ["a"])).toBe(true);
});

test.each([
  ["no constraint", { containers }],
  ["a selector that every node meets", { containers, nodeSelector: { "kubernetes.io/os": "linux" } }],
  ["a selector that no node meets", { containers, nodeSelector: { zone: "three" } }],
  ["affinity that the scheduler only prefers", { containers, affinity: { nodeAffinity: { preferred: [] } } }],
  ["anti-affinity between pods", { containers, affinity: { podAntiAffinity: {} } }],
  ["a node's name, past the scheduler", { containers, nodeName: "c" }],
  ["affinity that leaves one of the nodes hit", away("kubernetes.io/hostname", "NotIn", "b")],
])("%s does not", (_, template) => {
  expect(keepsOff(template, nodes, ["a", "b"])).toBe(false);
});

test("no node was hit: nothing is kept off", () => {
  expect(keepsOff({ containers, nodeSelector: { zone: "two" } }, nodes, [])).toBe(false);
});

test("other nodes are those that new pods could be put on and the fault has not hit", () => {
  expect(otherNodes({ containers }, nodes, ["a"])).toBe(2);
  expect(otherNodes({ containers, nodeSelector: { zone: "one" } }, nodes, ["a"])).toBe(1);
  expect(otherNodes({ containers }, nodes, ["a", "b", "c"])).toBe(0);
  const cordoned = { ...node("b"), spec: { unschedulable: true } };
  const taints = [{ key: "role", value: "control", effect: "NoSchedule" }];
  const tainted = { ...node("c"), spec: { taints } };
  const some = [node("a"), cordoned, tainted];
  expect(otherNodes({ containers }, some, ["a"])).toBe(0);
  const tolerates = (toleration: object) => ({ containers, tolerations: [toleration] });
  expect(otherNodes(tolerates({ key: "role", operator: "Exists" }), some, ["a"])).toBe(1);
  expect(otherNodes(tolerates({ key: "role", value: "control" }), some, ["a"])).toBe(1);
  expect(otherNodes(tolerates({ key: "role", value: "other" }), some, ["a"])).toBe(0);
});
