import type { KubeObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { fieldSelector, labelSelector, matchesLabels } from "./selectors.ts";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", labels: { app: "web", tier: "front" } },
  spec: { nodeName: "n1" },
  status: { phase: "Running" },
} as unknown as KubeObject;

test.each([
  ["app=web", true],
  ["app==web,tier!=back", true],
  ["app in (web, api),tier", true],
  ["app notin (web)", false],
  ["missing notin (a)", true],
  ["!missing", true],
  ["!app", false],
  ["", true],
  ["constructor", false],
  ["!constructor", true],
  ["constructor in (,a)", false],
])("label selector %j gives %s", (text, expected) => {
  expect(labelSelector(text)(pod)).toBe(expected);
});

test.each([
  ["metadata.name=p,status.phase!=Pending", true],
  ["spec.nodeName=n2", false],
  ["spec.missing=", true],
])("field selector %j gives %s", (text, expected) => {
  expect(fieldSelector(text)(pod)).toBe(expected);
});

test("refuses selectors that cannot be read", () => {
  expect(() => labelSelector("a b c")).toThrow("unable to parse requirement");
  expect(() => fieldSelector("metadata.name")).toThrow("invalid selector");
});

test("matches label selector objects", () => {
  const selector = {
    matchLabels: { app: "web" },
    matchExpressions: [{ key: "tier", operator: "NotIn", values: ["back"] }],
  };
  expect(matchesLabels(selector, { app: "web", tier: "front" })).toBe(true);
  expect(matchesLabels(selector, { app: "web", tier: "back" })).toBe(false);
  const exists = { matchExpressions: [{ key: "constructor", operator: "Exists" }] };
  expect(matchesLabels(exists, { app: "web" })).toBe(false);
});
