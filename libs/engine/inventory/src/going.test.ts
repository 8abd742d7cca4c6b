import { expect, test } from "vitest";
import { withObject } from "./testing/an-arena.ts";
import {
  change,
  changesOf,
  classes,
  extra,
  healthy,
  kindsOfChange,
  metadata,
  stress,
  target,
} from "./testing/judged-arena.ts";

const going = { deletionTimestamp: "2026-01-01T00:00:00Z" };
const held = { ...going, finalizers: ["example.com/hold"] };

test.each([
  ["a ConfigMap", "v1", "ConfigMap"],
  ["a Deployment, whose pods run on", "apps/v1", "Deployment"],
  ["a Service", "v1", "Service"],
])("%s that is being deleted and will not go is there", (_, apiVersion, kind) => {
  expect(kindsOfChange(extra(apiVersion, kind, {}, held))).toEqual(["foreign"]);
});

test.each([
  ["nothing", []],
  ["the garbage collector", ["foregroundDeletion"]],
])("what is being deleted and held by %s is as good as gone", (_, finalizers) => {
  expect(classes(extra("apps/v1", "Deployment", {}, { ...going, finalizers }))).toEqual([]);
});

test("a claim goes when its pods have gone; nothing else waits for that", () => {
  const finalizers = ["kubernetes.io/pvc-protection"];
  expect(classes(extra("v1", "PersistentVolumeClaim", {}, { ...going, finalizers }))).toEqual([]);
  expect(kindsOfChange(extra("v1", "ConfigMap", {}, { ...going, finalizers }))).toEqual(["foreign"]);
});

test("a Service with others' addresses takes them as long as it is there", () => {
  expect(kindsOfChange(extra("v1", "Service", { externalIPs: ["10.0.0.1"] }, held))).toEqual(["acts"]);
});

test.each([
  [30, []],
  [86_400, ["foreign"]],
])("a pod of nothing that was deleted and may run on for %d s", (deletionGracePeriodSeconds, expected) => {
  const metadata = { name: "debug", ...going, deletionGracePeriodSeconds };
  const pod = { apiVersion: "v1", kind: "Pod", metadata, status: { phase: "Running" } };
  expect(kindsOfChange(withObject(healthy, pod))).toEqual(expected);
});

test("a ReplicaSet that is being deleted replaces no pods", () => {
  const endSet = (replicas: number) =>
    change(`ReplicaSet/${target}-1`, (set) => {
      Object.assign(set["metadata"] as object, held);
      Object.assign(set["spec"] as object, { replicas });
    });
  expect(classes(endSet(1))).toEqual([`breaks ReplicaSet/${target}-1`]);
  expect(classes(endSet(0))).toEqual([`changed ReplicaSet/${target}-1`]);
});

const hold = { finalizers: ["example.com/hold"] };

test("Chaos Mesh takes every finalizer away from the fault's object", () => {
  const cause = (finalizers: string[]) =>
    metadata("StressChaos/cpu-stress", { ...going, finalizers }, stress);
  expect(classes(cause(["chaos-mesh/records"]))).toEqual(["spent StressChaos/cpu-stress"]);
  expect(classes(cause(["chaos-mesh/records", "a/b"]))).toEqual(["spent StressChaos/cpu-stress"]);
});

test.each([
  ["batch.kubernetes.io/job-tracking", "which the Job controller leaves on pods of others"],
  ["chaos-mesh/records", "which Chaos Mesh puts on no pod"],
])("a pod of a workload cannot end with the finalizer %s, %s", (finalizer) => {
  expect(kindsOfChange(metadata(`Pod/${target}`, { finalizers: [finalizer] }))).toEqual(["breaks"]);
});

test("a finalizer on what controllers made keeps it from going with its maker", () => {
  expect(classes(metadata(`ReplicaSet/${target}-1`, hold))).toEqual([`changed ReplicaSet/${target}-1`]);
  const endpoints = { apiVersion: "v1", kind: "Endpoints", metadata: { name: target, ...hold } };
  expect(classes(withObject(healthy, endpoints))).toEqual([`changed Endpoints/${target}`]);
  const held = extra("apps/v1", "Deployment", {}, { ...going, finalizers: ["foregroundDeletion"] });
  const set = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      ...{ name: "x-1", ...going, ...hold },
      ownerReferences: [{ kind: "Deployment", name: "x", uid: "uid-Deployment-x", controller: true }],
    },
  };
  expect(classes(withObject(held, set))).toEqual(["changed ReplicaSet/x-1"]);
});

test("a pod of two owners outlasts the first", () => {
  const found = change(`Pod/${target}`, ({ metadata: of }) => {
    const owners = (of as { ownerReferences: object[] }).ownerReferences;
    owners.push({ kind: "Service", name: target, uid: `uid-Service-${target}` });
  });
  expect(changesOf(found)).toMatchObject([
    { class: "changed", detail: `has a second owner, Service/${target}` },
  ]);
});
