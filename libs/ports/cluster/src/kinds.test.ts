import { expect, test } from "vitest";
import { kinds, pathOf } from "./kinds.ts";

test("builds the API's paths", () => {
  expect(pathOf(kinds.deployment, "shop", "cart")).toBe("/apis/apps/v1/namespaces/shop/deployments/cart");
  expect(pathOf(kinds.pod, "shop")).toBe("/api/v1/namespaces/shop/pods");
  expect(pathOf(kinds.pod, undefined)).toBe("/api/v1/pods");
  const nodeMetrics = { apiVersion: "metrics.k8s.io/v1beta1", kind: "NodeMetrics" };
  expect(pathOf(nodeMetrics, undefined)).toBe("/apis/metrics.k8s.io/v1beta1/nodes");
  expect(pathOf(kinds.namespace, undefined, "shop")).toBe("/api/v1/namespaces/shop");
  expect(pathOf(kinds.ioChaos, "shop")).toBe("/apis/chaos-mesh.org/v1alpha1/namespaces/shop/iochaos");
  expect(pathOf(kinds.networkPolicy, "shop")).toBe(
    "/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies",
  );
  expect(pathOf(kinds.clusterRole, "ignored", "x")).toBe("/apis/rbac.authorization.k8s.io/v1/clusterroles/x");
});

test("keeps a hostile name inside its path segment", () => {
  expect(pathOf(kinds.pod, "shop", "../../secrets")).toBe("/api/v1/namespaces/shop/pods/..%2F..%2Fsecrets");
});
