import type { Rng } from "@microremed/core";
import {
  alreadyExists,
  conflict,
  expired,
  hasGeneration,
  hasStatusSubresource,
  jsonEqual,
  type KubeObject,
  modifiedSinceRead,
  notFound,
  type ResourceRef,
} from "@microremed/sim-objects";
import { isFinished, markDeleted } from "./deletion.ts";
import { nameOf, uuid } from "./identity.ts";
import type { Store, WatchEvent } from "./store.types.ts";
import { listTable, objectKey } from "./table.ts";
import { createTables } from "./tables.ts";
import { createdObject, updatedObject } from "./write-rules.ts";

export interface StoreDeps {
  /** Cluster time, ms since the epoch. */
  readonly now: () => number;
  /** Uids and generated names. */
  readonly rng: Rng;
  /** Whole writes of others since the last write, which the resourceVersion counts too; default: none. */
  readonly othersWrites?: () => number;
}

/** The object store of one cluster, see `Store` for its rules. */
export function createStore({ now, rng, othersWrites }: StoreDeps): Store {
  const tables = createTables(othersWrites);

  function existing(ref: ResourceRef, namespace: string | undefined, name: string): KubeObject {
    const object = tables.of(ref).objects.get(objectKey(namespace, name));
    if (!object) throw notFound(ref, name);
    return object;
  }

  const store: Store = {
    get: (ref, namespace, name) => tables.of(ref).objects.get(objectKey(namespace, name)),
    list: (ref, namespace) => listTable(tables.of(ref), namespace),

    create(ref, object) {
      const table = tables.of(ref);
      const { namespace, uid, name } = store.named(ref, object).metadata;
      if (table.objects.has(objectKey(namespace, name))) throw alreadyExists(ref, name);
      const generation = hasGeneration(ref, tables.definitionOf(ref));
      const created = createdObject(object, { name, uid: uid ?? uuid(rng) }, { generation }, now());
      return tables.commit(table, created, undefined);
    },

    named(ref, object, names = rng) {
      const { objects } = tables.of(ref);
      const { metadata } = object;
      const name = nameOf(object, names, (one) => objects.has(objectKey(metadata.namespace, one)));
      return { ...object, metadata: { ...metadata, name } };
    },

    update(ref, object, options) {
      const table = tables.of(ref);
      const { name, namespace, resourceVersion, uid } = object.metadata;
      const old = existing(ref, namespace, name);
      requireUid(ref, old, uid);
      if (resourceVersion && resourceVersion !== old.metadata.resourceVersion)
        throw conflict(ref, name, modifiedSinceRead);
      const definition = tables.definitionOf(ref);
      const traits = {
        generation: hasGeneration(ref, definition),
        statusApart: hasStatusSubresource(ref, definition),
      };
      const next = updatedObject(old, object, traits, options);
      if (jsonEqual(old, next)) return old;
      return isFinished(ref, next) ? tables.remove(table, next) : tables.commit(table, next, old);
    },

    mutate(ref, namespace, name, change, options) {
      const object = store.get(ref, namespace, name);
      const changed = object && change(object);
      return changed && store.update(ref, changed, options);
    },

    delete(ref, namespace, name, options = {}) {
      const table = tables.of(ref);
      const object = existing(ref, namespace, name);
      requireUid(ref, object, options.preconditions?.uid);
      requireVersion(ref, object, options.preconditions?.resourceVersion);
      const marked = markDeleted(ref, object, options, now());
      if (isFinished(ref, marked)) return tables.remove(table, marked);
      return jsonEqual(marked, object) ? object : tables.commit(table, marked, object);
    },

    watch(ref, listener, onReset) {
      const { listeners, resets } = tables.of(ref);
      const own = (event: WatchEvent): void => listener(event);
      listeners.add(own);
      if (onReset) resets.add(onReset);
      return () => {
        listeners.delete(own);
        if (onReset) resets.delete(onReset);
      };
    },

    changesSince(ref, since) {
      const { history } = tables.of(ref);
      // A version that is still to come was read before the store went back to an earlier state.
      const changes = since > tables.version ? undefined : history.since(since);
      if (!changes) throw expired(since, history.forgotten);
      return changes;
    },

    get resourceVersion() {
      return tables.version;
    },
    get restores() {
      return tables.restores;
    },
    weight: tables.weight,
    snapshot: tables.snapshot,
    restore: tables.restore,
  };
  return store;
}

function requireUid(ref: ResourceRef, { metadata }: KubeObject, uid: string | undefined): void {
  if (!uid || uid === metadata.uid) return;
  const why = `UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  throw conflict(ref, metadata.name, `Precondition failed: ${why}`);
}

function requireVersion(ref: ResourceRef, { metadata }: KubeObject, version: string | undefined): void {
  if (!version || version === metadata.resourceVersion) return;
  const why = `ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${metadata.resourceVersion}`;
  throw conflict(ref, metadata.name, `Precondition failed: ${why}`);
}
