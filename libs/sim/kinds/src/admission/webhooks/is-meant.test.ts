import { expect, test } from "vitest";
import { isMeant, type SelectableWrite } from "./is-meant.ts";

const pod = (labels: Record<string, string> = {}) =>
  ({ apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "shop", labels } }) as never;
const write: SelectableWrite = {
  operation: "CREATE",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: undefined,
  namespace: "shop",
  object: pod({ app: "cart" }),
  old: undefined,
};
const rule = { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
const labelsOf = (name: string) => (name === "shop" ? { team: "web" } : undefined);
const isAsked = (webhook: object, of: Partial<SelectableWrite> = {}) =>
  isMeant(webhook, { ...write, ...of }, labelsOf);

test.each([
  ["its own rule", rule, {}, true],
  ["another operation", { ...rule, operations: ["UPDATE"] }, {}, false],
  [
    "any operation",
    { ...rule, operations: ["*"] },
    { operation: "DELETE", object: undefined, old: pod() },
    true,
  ],
  ["another group", { ...rule, apiGroups: ["apps"] }, {}, false],
  ["another version", { ...rule, apiVersions: ["v2"] }, {}, false],
  ["a subresource that it does not name", rule, { subresource: "status" }, false],
  ["a subresource that it names", { ...rule, resources: ["pods/status"] }, { subresource: "status" }, true],
  ["every subresource of pods", { ...rule, resources: ["pods/*"] }, { subresource: "eviction" }, true],
  [
    "every resource without its subresources",
    { ...rule, resources: ["*"] },
    { subresource: "status" },
    false,
  ],
  ["everything", { ...rule, resources: ["*/*"] }, { subresource: "status" }, true],
  ["objects of the cluster alone", { ...rule, scope: "Cluster" }, {}, false],
  [
    "a Namespace is of no namespace",
    { ...rule, resources: ["namespaces"], scope: "Cluster" },
    { resource: "namespaces" },
    true,
  ],
] as const)("rules: %s", (_, given, of, expected) => {
  expect(isAsked({ rules: [given] }, of as Partial<SelectableWrite>)).toBe(expected);
});

test.each([
  ["labels of the namespace", { namespaceSelector: { matchLabels: { team: "web" } } }, {}, true],
  ["of another namespace", { namespaceSelector: { matchLabels: { team: "data" } } }, {}, false],
  [
    "nothing keeps out what is of no namespace",
    { namespaceSelector: { matchLabels: { team: "data" } } },
    { namespace: undefined },
    true,
  ],
  ["labels of the object", { objectSelector: { matchLabels: { app: "cart" } } }, {}, true],
  [
    "of the object as it was",
    { objectSelector: { matchLabels: { app: "cart" } } },
    { operation: "UPDATE", object: pod(), old: pod({ app: "cart" }) },
    true,
  ],
  ["of neither", { objectSelector: { matchLabels: { app: "till" } } }, {}, false],
] as const)("selectors: %s", (_, selectors, of, expected) => {
  expect(
    isAsked({ rules: [{ ...rule, operations: ["*"] }], ...selectors }, of as Partial<SelectableWrite>),
  ).toBe(expected);
});

test("no webhook is asked about configurations of webhooks", () => {
  const all = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] };
  const of = { group: "admissionregistration.k8s.io", resource: "validatingwebhookconfigurations" };
  expect(isAsked({ rules: [all] }, of)).toBe(false);
  expect(isAsked({ rules: [all] })).toBe(true);
});
