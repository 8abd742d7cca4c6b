import { expect, test } from "vitest";
import { valueAt } from "../field-change.ts";
import { aServiceManifest } from "../testing/some-manifests.ts";
import type { Manifest } from "./manifest.ts";
import { renderManifests } from "./render-manifests.ts";

const own = "shop";
const place = (manifest: Manifest, namespace: string, beside: readonly Manifest[] = []) =>
  renderManifests({ manifests: [manifest, ...beside], namespace: own }, { namespace })[0];

test("an object is as it was written, in the namespace that is asked for", () => {
  const labels = { tier: "front" };
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels }, data: { k: "v" } };
  expect(place(manifest, own)).toEqual({ ...manifest, metadata: { name: "a", namespace: own, labels } });
  const fixed = { ...manifest, metadata: { name: "a", namespace: own } };
  expect(place(fixed, "copy")?.metadata).toEqual({ name: "a", namespace: "copy" });
});

test("what belongs to no namespace gets none", () => {
  const role: Manifest = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "a" },
  };
  expect(place(role, own)).toBe(role);
  const definition = (scope: string): Manifest => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "zones.example.org" },
    spec: { scope, names: { kind: "Zone" } },
  });
  const zone = { apiVersion: "example.org/v1", kind: "Zone", metadata: { name: "a" } };
  expect(place(zone, own, [definition("Cluster")])?.metadata).toEqual({ name: "a" });
  expect(place(zone, own, [definition("Namespaced")])?.metadata).toEqual({ name: "a", namespace: own });
});

test("accounts of the system's own namespace are the copy's, those of others stay", () => {
  const account = (namespace?: string) => ({
    kind: "ServiceAccount",
    name: "a",
    ...(namespace && { namespace }),
  });
  const binding = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: "a" },
    subjects: [account(own), account(), account("monitoring"), { kind: "User", name: "u" }],
  };
  expect(place(binding, "copy")?.["subjects"]).toEqual([
    account("copy"),
    account("copy"),
    account("monitoring"),
    { kind: "User", name: "u" },
  ]);
});

test("a copy asks for no port of the nodes by its number; the system in its own namespace does", () => {
  const ports = [{ port: 80, targetPort: 8080, nodePort: 30080 }];
  const manifest = aServiceManifest("web", { type: "NodePort", ports });
  const portsIn = (namespace: string) => valueAt(place(manifest, namespace), "/spec/ports");
  expect(portsIn(own)).toEqual(ports);
  expect(portsIn("copy")).toEqual([{ port: 80, targetPort: 8080 }]);
});
