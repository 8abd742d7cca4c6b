import { expect, test } from "vitest";
import type { ArenaObjects } from "./read-arena.ts";
import { partOf, recordOf, withObject } from "./testing/an-arena.ts";
import {
  change,
  changesOf,
  classes,
  environment,
  healthy,
  kindsOfChange,
  metadata,
  stress,
  target,
} from "./testing/judged-arena.ts";

const password = "pa$$word-of-the-store";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const withSecret = (arena: ArenaObjects): ArenaObjects =>
  withObject(arena, {
    ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "store" } },
    data: { password: base64(password), host: base64("redis-cart"), short: base64("x") },
  });
const secretive = withSecret(healthy);
const judged = { record: recordOf(secretive), injected: withSecret(stress) };

/** A note of a user on the target or its pod. */
const noted = (identity: string, note: string, arena = healthy): ArenaObjects =>
  change(
    identity,
    (object) => {
      const of = partOf(object, "metadata");
      of["annotations"] = { ...(of["annotations"] as object), note };
    },
    arena,
  );
const token = `eyJhbGciOiJSUzI1NiJ9.${"eyJpc3MiOiJrdWJlIn0"}.c2lnbmF0dXJlLW9mLWl0`;

test.each([`Deployment/${target}`, `Pod/${target}`])(
  "a note on %s is small, or it takes the room of others",
  (on) => {
    expect(kindsOfChange(noted(on, "restarted by hand"))).toEqual(["allowed"]);
    expect(kindsOfChange(noted(on, "x".repeat(5000)))).toEqual(["changed"]);
  },
);

test.each([`Deployment/${target}`, `Pod/${target}`])("a note on %s gives away what a Secret holds", (on) => {
  for (const text of [`it is ${password}`, `it is ${base64(password)}`, token]) {
    const [found] = changesOf(noted(on, text, secretive), judged);
    expect(found).toMatchObject({ class: "privilege", detail: expect.stringContaining("(a secret)") });
    expect(found?.detail).not.toContain(text);
  }
  expect(kindsOfChange(noted(on, "x is at redis-cart", secretive), judged)).toEqual(["allowed"]);
});

const mesh = "sidecar.istio.io/rewriteAppHTTPProbers";
test("a pod has the annotations of its template, with the same values; others' names excuse nothing", () => {
  expect(environment.workloads["frontend"]?.annotations).toHaveProperty([mesh]);
  expect(classes(metadata("Pod/frontend", { annotations: {} }))).toEqual(["changed Pod/frontend-0"]);
  expect(classes(metadata("Pod/frontend", { annotations: { [mesh]: "false" } }))).toEqual([
    "changed Pod/frontend-0",
  ]);
  expect(classes(metadata(`Pod/${target}`, { annotations: { [mesh]: "false" } }))).toEqual([
    `changed Pod/${target}-0`,
  ]);
});

test("what the cluster writes on every pod is no change", () => {
  const annotations = { "cni.example.com/address": "10.0.0.1" };
  const written = (arena: ArenaObjects) => metadata(`Pod/${target}`, { annotations }, arena);
  expect(classes(written(healthy))).toEqual([`changed Pod/${target}-0`]);
  expect(classes(written(healthy), { injected: written(stress) })).toEqual([]);
});

const onSet = (annotations: object, arena = healthy): ArenaObjects =>
  metadata(`ReplicaSet/${target}-1`, { annotations }, arena);

test("what others write on the objects of controllers is not clean", () => {
  expect(classes(onSet({ "example.com/hold": "yes" }))).toEqual([`changed ReplicaSet/${target}-1`]);
  expect(classes(onSet({ note: "x", "deployment.kubernetes.io/desired-replicas": "1" }))).toEqual([]);
  expect(
    classes(onSet({ "example.com/a": "1" }), { injected: onSet({ "example.com/a": "1" }, stress) }),
  ).toEqual([]);
});

test("a ReplicaSet has the annotations of its Deployment", () => {
  const annotations = { "example.com/team": "shop" };
  const owned = metadata(`Deployment/${target}`, { annotations });
  const of = { record: recordOf(owned) };
  expect(classes(onSet(annotations, owned), of)).toEqual([]);
  expect(classes(onSet({ "example.com/team": "other" }, owned), of)).toEqual([
    `changed ReplicaSet/${target}-1`,
  ]);
});
