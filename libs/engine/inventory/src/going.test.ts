import { expect, test } from "vitest";
import { withObject } from "./testing/an-arena.ts";
import { change, classes, extra, healthy, kindsOfChange, target } from "./testing/judged-arena.ts";

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
  expect(classes(endSet(0))).toEqual([]);
});
