import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { normalise } from "./normalise.ts";

const deployment: KubeObject = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", namespace: "n", labels: { app: "a" } },
  spec: { replicas: 1, template: { metadata: { labels: { app: "a" } }, spec: { containers: [] } } },
};

const asServed: KubeObject = {
  kind: "Deployment",
  apiVersion: "apps/v1",
  status: { replicas: 1 },
  spec: {
    template: { spec: { containers: [] }, metadata: { creationTimestamp: null, labels: { app: "a" } } },
    replicas: 1,
  },
  metadata: {
    name: "a",
    namespace: "n",
    labels: { app: "a" },
    annotations: { "deployment.kubernetes.io/revision": "3" },
    uid: "u",
    resourceVersion: "7",
    generation: 3,
    creationTimestamp: "2026-01-01T00:00:00Z",
  },
};

test("what the cluster adds makes no difference", () => {
  expect(JSON.stringify(normalise(asServed))).toBe(JSON.stringify(normalise(deployment)));
});

test("normalising twice changes nothing", () => {
  expect(normalise(normalise(asServed))).toEqual(normalise(asServed));
});

test("desired fields make one", () => {
  const restarted = {
    ...asServed,
    spec: {
      replicas: 1,
      template: {
        metadata: { labels: { app: "a" }, annotations: { "kubectl.kubernetes.io/restartedAt": "now" } },
        spec: { containers: [] },
      },
    },
  };
  expect(normalise(restarted)).not.toEqual(normalise(deployment));
  const labelled = { ...asServed, metadata: { ...asServed.metadata, labels: { app: "a", mine: "1" } } };
  expect(normalise(labelled)).not.toEqual(normalise(deployment));
});

test("a service's assigned addresses make no difference; ports of nodes, by which users come, and None do", () => {
  const service = (spec: object): KubeObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "s" },
    spec,
  });
  const on = (nodePort: number) => ({ ports: [{ port: 80, nodePort }] });
  const assigned = { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], ...on(31_000) };
  expect(normalise(service(assigned))).toEqual(normalise(service(on(31_000))));
  expect(normalise(service(assigned))).not.toEqual(normalise(service(on(31_001))));
  expect(normalise(service({ clusterIP: "None" }))).not.toEqual(normalise(service({})));
});

test("finalizers and owners are desired fields", () => {
  const owner = { apiVersion: "v1", kind: "ConfigMap", name: "c", uid: "u" };
  for (const change of [{ finalizers: ["example.com/hold"] }, { ownerReferences: [owner] }]) {
    const changed = { ...asServed, metadata: { ...asServed.metadata, ...change } };
    expect(normalise(changed)).not.toEqual(normalise(asServed));
  }
  const empty = { ...asServed, metadata: { ...asServed.metadata, finalizers: [], ownerReferences: [] } };
  expect(normalise(empty)).toEqual(normalise(asServed));
});
