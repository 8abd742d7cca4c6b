import { type KubeObject, qualified, type ResourceRef } from "@microremed/sim-objects";
import { createEventHistory } from "./event-history.ts";
import type { Store, WatchEvent } from "./store.types.ts";
import { createResourceTable, objectKey, type ResourceTable } from "./table.ts";
import { weightOf } from "./weight.ts";

/** The tables of all resources under one growing resourceVersion. */
export interface Tables {
  readonly version: number;
  readonly restores: number;
  of(ref: ResourceRef): ResourceTable;
  /** The CustomResourceDefinition of a kind that is not built in. */
  definitionOf(ref: ResourceRef): KubeObject | undefined;
  /** Stores an object under the next version and notifies the watchers. */
  commit(table: ResourceTable, object: KubeObject, previous: KubeObject | undefined): KubeObject;
  remove(table: ResourceTable, object: KubeObject): KubeObject;
  weight: Store["weight"];
  snapshot: Store["snapshot"];
  restore: Store["restore"];
}

const definitions: ResourceRef = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

export function createTables(othersWrites: () => number = () => 0): Tables {
  const tables = new Map<string, ResourceTable>();
  /** The same tables, by the objects that have named them: most are constants. */
  const byRef = new WeakMap<ResourceRef, ResourceTable>();
  /** By namespace; objects of the whole cluster have the empty name. */
  const weights = new Map<string, number>();
  let version = 0;
  let restores = 0;

  function weigh(object: KubeObject, sign: 1 | -1): void {
    const namespace = object.metadata.namespace ?? "";
    weights.set(namespace, (weights.get(namespace) ?? 0) + sign * weightOf(object));
  }

  function tableOf(ref: ResourceRef): ResourceTable {
    const known = byRef.get(ref);
    if (known) return known;
    const key = qualified(ref);
    const table = tables.get(key) ?? createResourceTable();
    tables.set(key, table);
    byRef.set(ref, table);
    return table;
  }

  function atNextVersion(object: KubeObject): KubeObject {
    version += 1 + othersWrites();
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
  }

  function announce(table: ResourceTable, event: WatchEvent): void {
    table.history.add(version, event);
    for (const listener of [...table.listeners]) listener(event);
  }

  return {
    get version() {
      return version;
    },
    get restores() {
      return restores;
    },
    of: tableOf,
    definitionOf: (ref) =>
      ref.group.includes(".")
        ? tableOf(definitions).objects.get(objectKey(undefined, qualified(ref)))
        : undefined,
    commit(table, object, previous) {
      const stored = atNextVersion(object);
      table.objects.set(objectKey(stored.metadata.namespace, stored.metadata.name), stored);
      if (previous) weigh(previous, -1);
      weigh(stored, 1);
      if (!previous) table.sortedKeys = undefined;
      announce(table, {
        type: previous ? "MODIFIED" : "ADDED",
        object: stored,
        ...(previous && { previous }),
      });
      return stored;
    },
    remove(table, object) {
      const gone = atNextVersion(object);
      const key = objectKey(object.metadata.namespace, object.metadata.name);
      const former = table.objects.get(key);
      if (former) weigh(former, -1);
      table.objects.delete(key);
      table.sortedKeys = undefined;
      announce(table, { type: "DELETED", object: gone });
      return gone;
    },
    weight: (namespace) =>
      namespace === undefined
        ? weights.values().reduce((total, weight) => total + weight, 0)
        : (weights.get(namespace) ?? 0),
    snapshot: () => ({
      resourceVersion: version,
      objects: new Map([...tables].map(([key, table]) => [key, new Map(table.objects)])),
    }),
    restore(snapshot) {
      version = snapshot.resourceVersion;
      restores += 1;
      for (const key of snapshot.objects.keys()) if (!tables.has(key)) tables.set(key, createResourceTable());
      for (const [key, table] of tables) {
        table.objects.clear();
        for (const [name, object] of snapshot.objects.get(key) ?? []) table.objects.set(name, object);
        table.sortedKeys = undefined;
        table.history = createEventHistory(version);
      }
      weights.clear();
      for (const table of tables.values()) for (const object of table.objects.values()) weigh(object, 1);
      for (const table of tables.values()) for (const reset of [...table.resets]) reset();
    },
  };
}
