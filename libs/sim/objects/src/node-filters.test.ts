import { expect, test } from "vitest";
import { meetsAffinity, reasonsAgainst, tolerates } from "./node-filters.ts";
import type { KubeObject } from "./objects.ts";
import { podRequests } from "./pod-requests.ts";

const object = (kind: string, spec: object, rest: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind,
  metadata: { name: kind.toLowerCase(), uid: "1", resourceVersion: "1", creationTimestamp: "" },
  spec,
  ...rest,
});
const nodeWith = (spec: object, ready = "True"): KubeObject =>
  object("Node", spec, {
    metadata: {
      name: "node-1",
      uid: "1",
      resourceVersion: "1",
      creationTimestamp: "",
      labels: { disk: "ssd" },
    },
    status: {
      allocatable: { cpu: "2", memory: "1Gi", pods: "10" },
      conditions: [{ type: "Ready", status: ready }],
    },
  });
const node = nodeWith({});
const containers = [{ resources: { requests: { cpu: "500m" }, limits: { memory: "256Mi" } } }];
const pod = object("Pod", { containers });
const idle = { cpu: 0, memory: 0, pods: 0 };

test("a pod needs what its containers ask for together, or its biggest init container", () => {
  const twice = object("Pod", { containers: [...containers, ...containers] });
  expect(podRequests(twice)).toEqual({ cpu: 1, memory: 512 * 1024 ** 2 });
  const initContainers = [{ resources: { requests: { cpu: "3" } } }];
  expect(podRequests(object("Pod", { containers, initContainers })).cpu).toBe(3);
});

test("taints are tolerated by key, value and effect", () => {
  const taint = { key: "zone", value: "a", effect: "NoSchedule" };
  expect(tolerates(taint, { key: "zone", value: "a" })).toBe(true);
  expect(tolerates(taint, { key: "zone", value: "b" })).toBe(false);
  expect(tolerates(taint, { key: "zone", operator: "Exists", effect: "NoExecute" })).toBe(false);
  expect(tolerates(taint, { operator: "Exists" })).toBe(true);
});

test("required terms are alternatives, and the node selector applies in addition", () => {
  const term = (...values: readonly string[]) => ({
    matchExpressions: [{ key: "disk", operator: "In", values }],
  });
  const wanting = (...nodeSelectorTerms: readonly object[]) =>
    object("Pod", {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } },
    });
  expect(meetsAffinity(wanting(term("hdd"), term("ssd")), node)).toBe(true);
  expect(meetsAffinity(wanting(term("hdd")), node)).toBe(false);
  expect(meetsAffinity(object("Pod", { nodeSelector: { disk: "hdd" } }), node)).toBe(false);
});

test.each([
  ["nothing", node, idle, []],
  ["a cordon", nodeWith({ unschedulable: true }), idle, ["node(s) were unschedulable"]],
  [
    "a taint",
    nodeWith({ taints: [{ key: "gpu", effect: "NoSchedule" }] }),
    idle,
    ["node(s) had untolerated taint {gpu: }"],
  ],
  ["a node that is not ready", nodeWith({}, "False"), idle, ["node(s) were not ready"]],
  [
    "no room",
    node,
    { cpu: 1.6, memory: 1024 ** 3, pods: 10 },
    ["Too many pods", "Insufficient cpu", "Insufficient memory"],
  ],
])("%s", (_what, on, used, reasons) => {
  expect(reasonsAgainst(pod, on, podRequests(pod), used)).toEqual(reasons);
});
