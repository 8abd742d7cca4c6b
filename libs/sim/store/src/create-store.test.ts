import { createRng } from "@microremed/core";
import type { KubeObject, NewObject } from "@microremed/sim-objects";
import { expect, test } from "vitest";
import { createStore } from "./create-store.ts";
import type { WatchEvent } from "./store.types.ts";

const pods = { group: "", resource: "pods" };
const deployments = { group: "apps", resource: "deployments" };
const configMaps = { group: "", resource: "configmaps" };

const storeAt = (now = 0) => createStore({ now: () => now, rng: createRng(1) });

const aDeployment = (name = "web"): NewObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "shop" },
  spec: { replicas: 1 },
});

const aPod = (spec: object = {}): NewObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web-1", namespace: "shop" },
  spec,
});

test("gives a new object uid, version, generation and creation time", () => {
  const created = storeAt(1_000).create(deployments, aDeployment());
  expect(created.metadata).toMatchObject({
    resourceVersion: "1",
    generation: 1,
    creationTimestamp: "1970-01-01T00:00:01Z",
  });
  expect(created.metadata.uid).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
});

test("makes names from generateName and the same ones for the same seed", () => {
  const names = [storeAt(), storeAt()].map(
    (store) =>
      store.create(pods, { ...aPod(), metadata: { generateName: "web-", namespace: "shop" } }).metadata.name,
  );
  expect(names[0]).toMatch(/^web-[a-z0-9]{5}$/);
  expect(names[1]).toBe(names[0]);
});

test("names that a writer draws itself do not hang on what others do", () => {
  const [quiet, busy] = [storeAt(), storeAt()];
  busy.create(pods, { ...aPod(), metadata: { generateName: "db-", namespace: "shop" } });
  const sent = { ...aPod(), metadata: { generateName: "web-", namespace: "shop" } };
  const names = [quiet, busy].map((store) => store.named(pods, sent, createRng(7)).metadata.name);
  expect(names[0]).toMatch(/^web-[a-z0-9]{5}$/);
  expect(names[1]).toBe(names[0]);
  busy.create(pods, { ...aPod(), metadata: { name: names[0] ?? "", namespace: "shop" } });
  expect(busy.named(pods, sent, createRng(7)).metadata.name).not.toBe(names[0]);
  expect(busy.named(pods, aPod(), createRng(7)).metadata.name).toBe("web-1");
});

test("refuses a second object of the same name and an update of a stale version", () => {
  const store = storeAt();
  const first = store.create(deployments, aDeployment());
  expect(() => store.create(deployments, aDeployment())).toThrow('deployments.apps "web" already exists');
  store.update(deployments, { ...first, spec: { replicas: 2 } });
  expect(() => store.update(deployments, { ...first, spec: { replicas: 3 } })).toThrow(
    "the object has been modified",
  );
});

test("keeps the version and sends no event when an update changes nothing", () => {
  const store = storeAt();
  const first = store.create(deployments, aDeployment());
  const events: WatchEvent[] = [];
  store.watch(deployments, (event) => events.push(event));
  expect(store.update(deployments, { ...first, spec: { replicas: 1 } })).toBe(first);
  expect(events).toEqual([]);
});

test("raises the generation for spec and not for status or metadata", () => {
  const store = storeAt();
  let object = store.create(deployments, aDeployment());
  object = store.update(deployments, { ...object, status: { replicas: 1 } }, { status: true });
  object = store.update(deployments, { ...object, metadata: { ...object.metadata, labels: { a: "b" } } });
  expect(object.metadata.generation).toBe(1);
  object = store.update(deployments, { ...object, spec: { replicas: 2 }, status: { replicas: 9 } });
  expect(object.metadata.generation).toBe(2);
  expect(object.status).toEqual({ replicas: 1 });
});

test("holds an object with finalizers until the last one is gone", () => {
  const store = storeAt();
  store.create(configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "c", namespace: "shop", finalizers: ["x/y"] },
  });
  const marked = store.delete(configMaps, "shop", "c");
  expect(marked.metadata.deletionTimestamp).toBeDefined();
  store.update(configMaps, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
  expect(store.get(configMaps, "shop", "c")).toBeUndefined();
});

test("deletes a scheduled pod in two steps and an unscheduled one at once", () => {
  const store = storeAt(1_000);
  store.create(pods, aPod());
  store.delete(pods, "shop", "web-1");
  expect(store.get(pods, "shop", "web-1")).toBeUndefined();

  store.create(pods, aPod({ nodeName: "n1", terminationGracePeriodSeconds: 20 }));
  const marked = store.delete(pods, "shop", "web-1");
  expect(marked.metadata).toMatchObject({
    deletionTimestamp: "1970-01-01T00:00:21Z",
    deletionGracePeriodSeconds: 20,
  });
  store.delete(pods, "shop", "web-1", { gracePeriodSeconds: 0 });
  expect(store.get(pods, "shop", "web-1")).toBeUndefined();
});

test("lists by namespace and name and replays changes from a version", () => {
  const store = storeAt();
  for (const name of ["b", "a"]) store.create(deployments, aDeployment(name));
  const since = store.resourceVersion;
  store.delete(deployments, "shop", "a");
  expect(store.list(deployments, "shop").map((object) => object.metadata.name)).toEqual(["b"]);
  const changes = store.changesSince(deployments, since);
  expect(changes.map((event) => [event.type, event.object.metadata.name])).toEqual([["DELETED", "a"]]);
  expect(() => storeWithManyChanges().changesSince(deployments, 1)).toThrow("too old resource version");
});

function storeWithManyChanges() {
  const store = storeAt();
  let object: KubeObject = store.create(deployments, aDeployment());
  for (let replicas = 2; replicas < 9_000; replicas += 1) {
    object = store.update(deployments, { ...object, spec: { replicas } });
  }
  return store;
}

test("the history of a resource keeps the last changes, and no more than twice as many as it must", () => {
  const store = storeWithManyChanges();
  const last = store.resourceVersion;
  expect(store.changesSince(deployments, last - 1_000)).toHaveLength(1_000);
  expect(() => store.changesSince(deployments, last - 2_100)).toThrow("too old resource version");
});

test("goes back to a snapshot and makes old watchers list again", () => {
  const store = storeAt();
  store.create(deployments, aDeployment("a"));
  const before = store.snapshot();
  store.create(deployments, aDeployment("b"));
  const version = store.resourceVersion;
  store.restore(before);
  expect(store.list(deployments).map((object) => object.metadata.name)).toEqual(["a"]);
  expect(() => store.changesSince(deployments, version)).toThrow("too old resource version");
});

test("the weight of a namespace follows its objects through creation, change, deletion and restore", () => {
  const store = storeAt();
  const aConfigMap = (name: string, characters: number): NewObject => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "shop" },
    data: { text: "x".repeat(characters) },
  });
  const empty = store.snapshot();
  const small = store.create(configMaps, aConfigMap("a", 1000));
  const one = store.weight("shop");
  expect(one).toBeGreaterThan(1000);
  expect(one).toBeLessThan(2000);
  store.create(configMaps, { ...aConfigMap("b", 5000), metadata: { name: "b", namespace: "other" } });
  expect(store.weight("shop")).toBe(one);
  expect(store.weight()).toBe(one + store.weight("other"));
  store.update(configMaps, { ...small, data: { text: "x".repeat(3000) } });
  expect(store.weight("shop")).toBe(one + 2000);
  const full = store.snapshot();
  store.delete(configMaps, "shop", "a");
  expect(store.weight("shop")).toBe(0);
  store.restore(full);
  expect(store.weight("shop")).toBe(one + 2000);
  store.restore(empty);
  expect(store.weight()).toBe(0);
});

test("the history of a resource keeps no more than its weight allows, whatever field is large", () => {
  const store = storeAt();
  let deployment = store.create(deployments, aDeployment());
  const first = Number(deployment.metadata.resourceVersion);
  for (let i = 0; i < 70; i++)
    deployment = store.update(deployments, { ...deployment, spec: { note: `${i}`.repeat(1 << 19) } });
  expect(() => store.changesSince(deployments, first)).toThrow(/too old/i);
});
