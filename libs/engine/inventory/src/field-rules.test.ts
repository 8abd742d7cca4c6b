import { expect, test } from "vitest";
import { classOfField } from "./field-rules.ts";

const context = {
  ...{ isTarget: false, resourcesMayDiffer: false, keepsData: false, leavesNodes: false },
  lateProbes: new Set<string>(),
  isSamePort: (one: string, other: string) => [one, other].every((port) => ["http", "8080"].includes(port)),
};

test.each([
  ["NodePort", "ClusterIP", "breaks"],
  ["LoadBalancer", "NodePort", "breaks"],
  ["ClusterIP", "ExternalName", "breaks"],
  ["ClusterIP", "NodePort", "changed"],
  [undefined, "LoadBalancer", "changed"],
])("a Service of type %s that becomes a %s: %s", (from, to, expected) => {
  expect(classOfField("Service", { path: ["spec", "type"], from, to }, context)).toBe(expected);
});

test.each([
  ["service.kubernetes.io/headless", "acts"],
  ["istio.io/use-waypoint", "changed"],
  ["note", "changed"],
])("a Service with the label %s: %s", (label, expected) => {
  const field = { path: ["metadata", "labels", label], from: undefined, to: "" };
  expect(classOfField("Service", field, context)).toBe(expected);
});

test.each([
  ["30001", "30002", "nodePort", "changed"],
  ["80", "81", "targetPort", "breaks"],
  ["http", "8080", "targetPort", "allowed"],
  ["8080", "http", "targetPort", "allowed"],
  ["http", "8081", "targetPort", "breaks"],
  ["http", "8080", "protocol", "breaks"],
])("a Service's port that goes from %s to %s as its %s: %s", (from, to, name, expected) => {
  expect(classOfField("Service", { path: ["spec", "ports", "0", name], from, to }, context)).toBe(expected);
});
