import { createRng } from "@microremed/core";
import type { User } from "@microremed/sim-kinds";
import { createStore } from "@microremed/sim-store";
import { expect, test } from "vitest";
import { createAuthorizer, denied } from "./authorizer.ts";

const apiVersion = "rbac.authorization.k8s.io/v1";
const rbac = (resource: string) => ({ group: "rbac.authorization.k8s.io", resource });
const agent: User = {
  name: "system:serviceaccount:shop:agent",
  uid: "",
  groups: ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"],
};

function authorizerWith(rules: readonly object[]) {
  const store = createStore({ now: () => 0, rng: createRng(1) });
  store.create(rbac("roles"), {
    apiVersion,
    kind: "Role",
    metadata: { name: "r", namespace: "shop" },
    rules,
  });
  store.create(rbac("rolebindings"), {
    apiVersion,
    kind: "RoleBinding",
    metadata: { name: "b", namespace: "shop" },
    roleRef: { kind: "Role", name: "r" },
    subjects: [{ kind: "ServiceAccount", name: "agent" }],
  });
  return createAuthorizer(store);
}

const wanted = { verb: "get", group: "", resource: "pods", namespace: "shop", name: "p" };

test("allows what a role in the namespace allows and nothing elsewhere", () => {
  const { authorize } = authorizerWith([{ verbs: ["get"], apiGroups: [""], resources: ["pods"] }]);
  expect(authorize(agent, wanted)).toContain('RoleBinding "b/shop"');
  expect(authorize(agent, { ...wanted, namespace: "other" })).toBeUndefined();
  expect(authorize(agent, { ...wanted, verb: "delete" })).toBeUndefined();
  expect(authorize(agent, { ...wanted, subresource: "exec" })).toBeUndefined();
  expect(authorize({ ...agent, name: "system:serviceaccount:shop:other" }, wanted)).toBeUndefined();
});

test("knows wildcards, subresources and resource names", () => {
  const { authorize } = authorizerWith([
    { verbs: ["*"], apiGroups: ["*"], resources: ["pods/exec"], resourceNames: ["p"] },
    { verbs: ["create"], apiGroups: [""], resources: ["*/eviction"] },
  ]);
  const exec = { ...wanted, verb: "create", subresource: "exec" };
  expect(authorize(agent, exec)).toBeDefined();
  expect(authorize(agent, { ...exec, name: "q" })).toBeUndefined();
  expect(authorize(agent, { ...exec, subresource: "eviction" })).toBeDefined();
});

test("lets system:masters do everything", () => {
  const { authorize } = authorizerWith([]);
  expect(authorize({ name: "x", uid: "", groups: ["system:masters"] }, wanted)).toBeDefined();
});

test("refuses in the words of a real server", () => {
  expect(
    denied(agent, { verb: "list", group: "apps", resource: "deployments", namespace: "x" }).message,
  ).toBe(
    'deployments.apps is forbidden: User "system:serviceaccount:shop:agent" cannot list resource "deployments" in API group "apps" in the namespace "x"',
  );
  expect(denied(agent, { verb: "get", path: "/metrics" }).message).toBe(
    'forbidden: User "system:serviceaccount:shop:agent" cannot get path "/metrics"',
  );
});
