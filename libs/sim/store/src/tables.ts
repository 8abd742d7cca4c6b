import { type KubeObject, qualified, type ResourceRef } from "@microremed/sim-objects";
import { createEventHistory } from "./event-history.ts";
import type { Store, WatchEvent } from "./store.types.ts";
import { createResourceTable, objectKey, type ResourceTable } from "./table.ts";

/** The tables of all resources under one growing resourceVersion. */
export interface Tables {
  readonly version: number;
  of(ref: ResourceRef): ResourceTable;
  /** The CustomResourceDefinition of a kind that is not built in. */
  definitionOf(ref: ResourceRef): KubeObject | undefined;
  /** Stores an object under the next version and notifies the watchers. */
  commit(table: ResourceTable, object: KubeObject, previous: KubeObject | undefined): KubeObject;
  remove(table: ResourceTable, object: KubeObject): KubeObject;
  snapshot: Store["snapshot"];
  restore: Store["restore"];
}

const definitions: ResourceRef = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

export function createTables(): Tables {
  const tables = new Map<string, ResourceTable>();
  let version = 0;

  function tableOf(ref: ResourceRef): ResourceTable {
    const key = qualified(ref);
    let table = tables.get(key);
    if (!table) {
      table = createResourceTable();
      tables.set(key, table);
    }
    return table;
  }

  function atNextVersion(object: KubeObject): KubeObject {
    version += 1;
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
    of: tableOf,
    definitionOf: (ref) =>
      ref.group.includes(".")
        ? tableOf(definitions).objects.get(objectKey(undefined, qualified(ref)))
        : undefined,
    commit(table, object, previous) {
      const stored = atNextVersion(object);
      table.objects.set(objectKey(stored.metadata.namespace, stored.metadata.name), stored);
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
      table.objects.delete(objectKey(object.metadata.namespace, object.metadata.name));
      table.sortedKeys = undefined;
      announce(table, { type: "DELETED", object: gone });
      return gone;
    },
    snapshot: () => ({
      resourceVersion: version,
      objects: new Map([...tables].map(([key, table]) => [key, new Map(table.objects)])),
    }),
    restore(snapshot) {
      version = snapshot.resourceVersion;
      for (const key of snapshot.objects.keys()) if (!tables.has(key)) tables.set(key, createResourceTable());
      for (const [key, table] of tables) {
        table.objects.clear();
        for (const [name, object] of snapshot.objects.get(key) ?? []) table.objects.set(name, object);
        table.sortedKeys = undefined;
        table.history = createEventHistory(version);
      }
      for (const table of tables.values()) for (const reset of [...table.resets]) reset();
    },
  };
}
