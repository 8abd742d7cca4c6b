import type { Rng } from "@microremed/core";
import {
  alreadyExists,
  badRequest,
  conflict,
  expired,
  hasGeneration,
  hasStatusSubresource,
  jsonEqual,
  type KubeObject,
  modifiedSinceRead,
  type NewObject,
  notFound,
  qualified,
  type ResourceRef,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { isFinished, markDeleted } from "./deletion.ts";
import { createEventHistory } from "./event-history.ts";
import type { Store, UpdateOptions, WatchEvent } from "./store.types.ts";
import { createResourceTable, listTable, objectKey, type ResourceTable } from "./table.ts";

export interface StoreDeps {
  /** Cluster time, ms since the epoch. */
  readonly now: () => number;
  /** Uids and generated names. */
  readonly rng: Rng;
}

const nameAlphabet = [..."bcdfghjklmnpqrstvwxz2456789"];
const hex = [..."0123456789abcdef"];

function draw(rng: Rng, alphabet: readonly string[], length: number): string {
  return Array.from({ length }, () => rng.pick(alphabet)).join("");
}

function uuid(rng: Rng): string {
  const digits = (length: number): string => draw(rng, hex, length);
  return `${digits(8)}-${digits(4)}-4${digits(3)}-${rng.pick(["8", "9", "a", "b"])}${digits(3)}-${digits(12)}`;
}

function changedBesides(a: KubeObject, b: KubeObject, ignored: readonly string[]): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of ignored) keys.delete(key);
  return [...keys].some((key) => !jsonEqual(a[key], b[key]));
}

const collections = ["labels", "annotations", "ownerReferences", "finalizers", "managedFields"] as const;

/** Metadata as Go writes it: an empty map or list is left out. */
function tidied(object: KubeObject): KubeObject {
  const { metadata } = object;
  const empty = collections.filter((key) => metadata[key] && Object.keys(metadata[key]).length === 0);
  if (empty.length === 0) return object;
  const kept = Object.entries(metadata).filter(([key]) => !(empty as readonly string[]).includes(key));
  return { ...object, metadata: Object.fromEntries(kept) as unknown as KubeObject["metadata"] };
}

/** What a write may change of the stored object: everything but status, or status and its owners alone. */
function writable(
  old: KubeObject,
  object: KubeObject,
  statusApart: boolean,
  options: UpdateOptions | undefined,
): KubeObject {
  if (options?.status) {
    const { managedFields } = object.metadata;
    const metadata = managedFields ? { ...old.metadata, managedFields } : old.metadata;
    return { ...old, metadata, status: object.status };
  }
  if (!statusApart) return object;
  const { status: _ignored, ...rest } = object;
  return old.status === undefined ? (rest as KubeObject) : ({ ...rest, status: old.status } as KubeObject);
}

const definitions: ResourceRef = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** The object store of one cluster, see `Store` for its rules. */
export function createStore({ now, rng }: StoreDeps): Store {
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

  /** The CustomResourceDefinition of a kind that is not built in. */
  const definitionOf = (ref: ResourceRef): KubeObject | undefined =>
    ref.group.includes(".")
      ? tableOf(definitions).objects.get(objectKey(undefined, qualified(ref)))
      : undefined;

  function commit(table: ResourceTable, object: KubeObject, previous: KubeObject | undefined): KubeObject {
    version += 1;
    const stored: KubeObject = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(version) },
    };
    const key = objectKey(stored.metadata.namespace, stored.metadata.name);
    table.objects.set(key, stored);
    if (!previous) table.sortedKeys = undefined;
    announce(table, {
      type: previous ? "MODIFIED" : "ADDED",
      object: stored,
      ...(previous && { previous }),
    });
    return stored;
  }

  function remove(table: ResourceTable, object: KubeObject): KubeObject {
    version += 1;
    const gone: KubeObject = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(version) },
    };
    table.objects.delete(objectKey(object.metadata.namespace, object.metadata.name));
    table.sortedKeys = undefined;
    announce(table, { type: "DELETED", object: gone });
    return gone;
  }

  function announce(table: ResourceTable, event: WatchEvent): void {
    table.history.add(version, event);
    for (const listener of [...table.listeners]) listener(event);
  }

  function existing(ref: ResourceRef, namespace: string | undefined, name: string): KubeObject {
    const object = tableOf(ref).objects.get(objectKey(namespace, name));
    if (!object) throw notFound(ref, name);
    return object;
  }

  const store: Store = {
    get: (ref, namespace, name) => tableOf(ref).objects.get(objectKey(namespace, name)),
    list: (ref, namespace) => listTable(tableOf(ref), namespace),

    create(ref, object) {
      const table = tableOf(ref);
      const name = nameOf(object, (prefix) => {
        const taken = (candidate: string): boolean =>
          table.objects.has(objectKey(object.metadata.namespace, candidate));
        for (;;) {
          const candidate = prefix.slice(0, 58) + draw(rng, nameAlphabet, 5);
          if (!taken(candidate)) return candidate;
        }
      });
      if (table.objects.has(objectKey(object.metadata.namespace, name))) throw alreadyExists(ref, name);
      const {
        resourceVersion: _version,
        deletionTimestamp: _deleted,
        deletionGracePeriodSeconds: _grace,
        generation: _generation,
        ...metadata
      } = object.metadata;
      const created = {
        ...object,
        metadata: {
          ...metadata,
          name,
          uid: metadata.uid ?? uuid(rng),
          resourceVersion: "",
          creationTimestamp: rfc3339(now()),
          ...(hasGeneration(ref, definitionOf(ref)) && { generation: 1 }),
        },
      } as KubeObject;
      return commit(table, tidied(created), undefined);
    },

    update(ref, object, options) {
      const table = tableOf(ref);
      const { name, namespace } = object.metadata;
      const old = existing(ref, namespace, name);
      const { resourceVersion, uid } = object.metadata;
      if (uid && uid !== old.metadata.uid) {
        throw conflict(
          ref,
          name,
          `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old.metadata.uid}`,
        );
      }
      if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
        throw conflict(ref, name, modifiedSinceRead);
      }
      const definition = definitionOf(ref);
      const statusApart = hasStatusSubresource(ref, definition);
      const written = writable(old, object, statusApart, options);
      const ignored = statusApart ? ["metadata", "status"] : ["metadata"];
      const changed = hasGeneration(ref, definition) && changedBesides(old, written, ignored);
      const {
        uid: ownUid,
        creationTimestamp,
        generation,
        deletionTimestamp,
        deletionGracePeriodSeconds,
      } = old.metadata;
      const next: KubeObject = tidied({
        ...written,
        metadata: {
          ...written.metadata,
          uid: ownUid,
          creationTimestamp,
          resourceVersion: old.metadata.resourceVersion,
          ...(generation !== undefined && { generation: changed ? generation + 1 : generation }),
          ...(deletionTimestamp !== undefined && { deletionTimestamp }),
          ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
        },
      });
      if (jsonEqual(old, next)) return old;
      if (isFinished(ref, next)) return remove(table, next);
      return commit(table, next, old);
    },

    mutate(ref, namespace, name, change, options) {
      const object = store.get(ref, namespace, name);
      const changed = object && change(object);
      return changed && store.update(ref, changed, options);
    },

    delete(ref, namespace, name, options = {}) {
      const table = tableOf(ref);
      const object = existing(ref, namespace, name);
      const { uid, resourceVersion } = options.preconditions ?? {};
      if (uid && uid !== object.metadata.uid) {
        throw conflict(
          ref,
          name,
          `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${object.metadata.uid}`,
        );
      }
      if (resourceVersion && resourceVersion !== object.metadata.resourceVersion) {
        throw conflict(
          ref,
          name,
          `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${object.metadata.resourceVersion}`,
        );
      }
      const marked = markDeleted(ref, object, options, now());
      if (isFinished(ref, marked)) return remove(table, marked);
      if (jsonEqual(marked, object)) return object;
      return commit(table, marked, object);
    },

    watch(ref, listener, onReset) {
      const { listeners, resets } = tableOf(ref);
      const own = (event: WatchEvent): void => listener(event);
      listeners.add(own);
      if (onReset) resets.add(onReset);
      return () => {
        listeners.delete(own);
        if (onReset) resets.delete(onReset);
      };
    },

    changesSince(ref, since) {
      const { history } = tableOf(ref);
      // A version that is still to come was read before the store went back to an earlier state.
      const changes = since > version ? undefined : history.since(since);
      if (!changes) throw expired(since, history.forgotten);
      return changes;
    },

    get resourceVersion() {
      return version;
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
  return store;
}

function nameOf(object: NewObject, generate: (prefix: string) => string): string {
  if (object.metadata.name) return object.metadata.name;
  if (object.metadata.generateName) return generate(object.metadata.generateName);
  throw badRequest("name or generateName is required");
}
