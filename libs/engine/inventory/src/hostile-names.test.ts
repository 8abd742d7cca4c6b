import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { withObject } from "./testing/an-arena.ts";
import { changesOf, classes, healthy } from "./testing/judged-arena.ts";

/** A name that Kubernetes takes, and that every plain object of JavaScript answers to. */
const name = "constructor";
const of = (apiVersion: string, kind: string, fields: object = {}): KubeObject => ({
  ...{
    apiVersion,
    kind,
    metadata: { name, uid: "u", labels: { [name]: name }, annotations: { [name]: name } },
  },
  ...fields,
});
const template = { metadata: { labels: { [name]: name } }, spec: { containers: [{ name }] } };
const spec = { selector: { matchLabels: { [name]: name } }, template };
const slice = of("discovery.k8s.io/v1", "EndpointSlice", { endpoints: [{ addresses: ["10.9.9.9"] }] });

test.each([
  of("v1", "Service", { spec: { selector: { [name]: name }, ports: [{ port: 80 }] } }),
  of("v1", "Endpoints", { subsets: [{ addresses: [{ ip: "10.9.9.9" }], ports: [{ port: 80 }] }] }),
  { ...slice, metadata: { name, labels: { "kubernetes.io/service-name": name } } },
  of("v1", "ConfigMap", { data: { [name]: "x", toString: "y" } }),
  of("v1", "Secret", { data: { [name]: "" } }),
  of("v1", "PersistentVolumeClaim", { spec: {} }),
  of("v1", "Pod", { spec: template.spec, status: { phase: "Running" } }),
  of("apps/v1", "Deployment", { spec }),
  of("apps/v1", "StatefulSet", { spec }),
  of("apps/v1", "ReplicaSet", { spec }),
  of("batch/v1", "Job", { spec: { template } }),
])(
  "$kind named like what every object inherits is added, and breaks neither the system nor the judge",
  (object) => {
    const found = classes(withObject(healthy, object));
    expect(found.filter((text) => /^(acts|breaks|unrepaired) /.test(text))).toEqual([]);
    expect(changesOf(withObject(healthy, object)).every(({ what }) => what === "added")).toBe(true);
  },
);
