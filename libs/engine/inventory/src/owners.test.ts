import type { KubeObject } from "@microremed/cluster";
import { expect, test } from "vitest";
import { ownObjects } from "./inventory.ts";
import { madeFindings } from "./made-findings.ts";
import type { ArenaObjects } from "./read-arena.ts";
import { withObject } from "./testing/an-arena.ts";
import { classes, healthy, kindsOfChange, target } from "./testing/judged-arena.ts";

const ownedBy = (kind: string, name: string, uid: string) => ({
  ownerReferences: [{ apiVersion: "apps/v1", kind, name, uid, controller: true }],
});
const set = (uid: string, labels = {}) => ({ ...ownedBy("ReplicaSet", `${target}-1`, uid), labels });
const ofSet = `uid-set-${target}`;

const pod = (metadata: object): ArenaObjects =>
  withObject(healthy, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "x", ...metadata },
    spec: { containers: [{ name: "x", image: "busybox:1.35" }] },
    status: { phase: "Running" },
  });
const made = (apiVersion: string, kind: string, metadata: object = {}): ArenaObjects =>
  withObject(healthy, { apiVersion, kind, metadata: { name: "x", ...metadata } });

test.each([
  ["a pod that says it is of a ReplicaSet that there is not", pod(set("none"))],
  ["a pod that gives a recorded ReplicaSet's name another uid", pod(set(`uid-set-frontend`))],
  ["a pod of a recorded ReplicaSet that does not select it", pod(set(ofSet))],
  ["a pod that says it is of a recorded Service", pod(ownedBy("Service", target, `uid-Service-${target}`))],
  ["a pod that is owned without a controller", pod({ ownerReferences: [{ ...owner(), controller: false }] })],
  ["a Job of a CronJob that there is not", made("batch/v1", "Job", ownedBy("CronJob", "y", "z"))],
  ["a ConfigMap of a Job that there is not", made("v1", "ConfigMap", ownedBy("Job", "y", "z"))],
  ["a ReplicaSet of nothing", made("apps/v1", "ReplicaSet", ownedBy("Deployment", "y", "z"))],
  ["a ControllerRevision of nothing", made("apps/v1", "ControllerRevision")],
  [
    "a ControllerRevision of a Deployment",
    made("apps/v1", "ControllerRevision", ownedBy("Deployment", target, `uid-Deployment-${target}`)),
  ],
] as [string, ArenaObjects][])("%s is foreign", (_, arena) => {
  expect(kindsOfChange(arena)).toEqual(["foreign"]);
});

function owner() {
  return { apiVersion: "apps/v1", kind: "ReplicaSet", name: `${target}-1`, uid: ofSet };
}

test("a pod that a recorded ReplicaSet selects is compared with the template", () => {
  expect(classes(pod(set(ofSet, { app: target })))).toContain("breaks Pod/x");
});

test("what a recorded controller has made is not foreign, down to the pods of a CronJob's Jobs", () => {
  const objects: KubeObject[] = [
    {
      kind: "StatefulSet",
      metadata: { name: "db", uid: "db" },
      spec: { selector: { matchLabels: { a: "1" } } },
    },
    {
      kind: "ControllerRevision",
      metadata: { name: "db-1", uid: "r", labels: { a: "1" }, ...ownedBy("StatefulSet", "db", "db") },
    },
    { kind: "CronJob", metadata: { name: "c", uid: "c" } },
    { kind: "Job", metadata: { name: "j", uid: "j", ...ownedBy("CronJob", "c", "c") } },
    { kind: "Pod", metadata: { name: "p", uid: "p", ...ownedBy("Job", "j", "j") } },
  ];
  expect(ownObjects(objects).map(({ metadata }) => metadata.name)).toEqual(["db", "c"]);
  expect(madeFindings(objects)).toEqual([]);
});

test("a ConfigMap that says that it is of a Job that is there is foreign, and its finalizer is seen", () => {
  const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "j", uid: "j" } };
  const arena = withObject(withObject(healthy, job), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "m", ...ownedBy("Job", "j", "j"), finalizers: ["a/b"] },
  });
  expect(classes(arena)).toContain("foreign ConfigMap/m");
});

test("a token is the cluster's only if an account lists it, which agents cannot bring about", () => {
  const token = { kind: "Secret", metadata: { name: "t" }, type: "kubernetes.io/service-account-token" };
  const account = { kind: "ServiceAccount", metadata: { name: "default" }, secrets: [{ name: "t" }] };
  expect(ownObjects([token, { ...account, secrets: [] }])).toEqual([token]);
  expect(ownObjects([token, account])).toEqual([]);
  const own = { ...token, apiVersion: "v1" };
  expect(kindsOfChange(withObject(healthy, own))).toEqual(["privilege"]);
});
