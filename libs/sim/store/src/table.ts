import type { KubeObject } from "@microremed/sim-objects";
import { createEventHistory, type EventHistory } from "./event-history.ts";
import type { WatchEvent } from "./store.types.ts";

/** The objects of one resource with their watchers. */
export interface ResourceTable {
  readonly objects: Map<string, KubeObject>;
  readonly listeners: Set<(event: WatchEvent) => void>;
  /** Called when the store was put back to an earlier state. */
  readonly resets: Set<() => void>;
  history: EventHistory;
  /** Sorted by key; undefined when an object came or went since. */
  sortedKeys: readonly string[] | undefined;
}

export function createResourceTable(): ResourceTable {
  return {
    objects: new Map(),
    listeners: new Set(),
    resets: new Set(),
    history: createEventHistory(),
    sortedKeys: undefined,
  };
}

export function objectKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

/** Objects in order of namespace and name, all or those of one namespace. */
export function listTable(table: ResourceTable, namespace: string | undefined): readonly KubeObject[] {
  table.sortedKeys ??= [...table.objects.keys()].sort();
  const found: KubeObject[] = [];
  for (const key of table.sortedKeys) {
    const object = table.objects.get(key);
    if (object && (namespace === undefined || object.metadata.namespace === namespace)) found.push(object);
  }
  return found;
}
