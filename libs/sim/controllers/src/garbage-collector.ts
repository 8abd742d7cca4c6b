import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { type KubeObject, type OwnerReference, qualified, type ResourceRef } from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { onCustomResources } from "./custom-resources.ts";

interface Place {
  readonly resource: ResourceRef;
  readonly namespace: string | undefined;
  readonly name: string;
}

const foregroundFinalizer = "foregroundDeletion";
const orphanFinalizer = "orphan";

/**
 * Deletes objects whose owners are gone, and carries out the deletion policies of owners: orphan cuts the
 * references first, foreground waits for the dependents.
 */
export function startGarbageCollector(ctx: ControllerContext): void {
  const { store, loop } = ctx;
  const places = loop.keep(new Map<string, Place>());
  const dependents = loop.keep(new Map<string, Set<string>>());
  const queue = createWorkQueue({ ...ctx, name: "garbage-collector", delayMs: 50 }, collect);

  const ownersOf = (object: KubeObject): readonly OwnerReference[] => object.metadata.ownerReferences ?? [];

  function link(object: KubeObject): void {
    for (const { uid } of ownersOf(object)) {
      const group = dependents.get(uid) ?? loop.keep(new Set<string>());
      dependents.set(uid, group.add(object.metadata.uid));
    }
  }

  function unlink(object: KubeObject): void {
    for (const { uid } of ownersOf(object)) {
      const group = dependents.get(uid);
      group?.delete(object.metadata.uid);
      if (group?.size === 0) dependents.delete(uid);
    }
  }

  function follow(resource: ResourceRef, event: WatchEvent): void {
    const { object } = event;
    const { uid, namespace, name } = object.metadata;
    if (event.type === "DELETED") {
      places.delete(uid);
      unlink(object);
      for (const child of dependents.get(uid) ?? []) queue.add(child);
      for (const owner of ownersOf(object)) if (isWaiting(owner.uid)) queue.add(owner.uid);
      return;
    }
    places.set(uid, { resource, namespace, name });
    if (event.previous && ownersOf(event.previous) !== ownersOf(object)) unlink(event.previous);
    if (!event.previous || ownersOf(event.previous) !== ownersOf(object)) {
      link(object);
      if (ownersOf(object).length > 0) queue.add(uid);
    }
    if (holds(object, foregroundFinalizer) || holds(object, orphanFinalizer)) queue.add(uid);
  }

  function holds(object: KubeObject, finalizer: string): boolean {
    return (
      object.metadata.deletionTimestamp !== undefined &&
      (object.metadata.finalizers?.includes(finalizer) ?? false)
    );
  }

  function find(uid: string): { readonly place: Place; readonly object: KubeObject } | undefined {
    const place = places.get(uid);
    const object = place && store.get(place.resource, place.namespace, place.name);
    return place && object?.metadata.uid === uid ? { place, object } : undefined;
  }

  function isWaiting(uid: string): boolean {
    const found = find(uid);
    return found !== undefined && holds(found.object, foregroundFinalizer);
  }

  function removeFinalizer({ resource }: Place, object: KubeObject, finalizer: string): void {
    const finalizers = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
    store.update(resource, { ...object, metadata: { ...object.metadata, finalizers } });
  }

  function orphan(ownerUid: string): void {
    for (const uid of [...(dependents.get(ownerUid) ?? [])]) {
      const child = find(uid);
      if (!child) continue;
      const ownerReferences = ownersOf(child.object).filter((owner) => owner.uid !== ownerUid);
      store.update(child.place.resource, {
        ...child.object,
        metadata: { ...child.object.metadata, ownerReferences },
      });
    }
  }

  function remove(
    { resource, namespace, name }: Place,
    object: KubeObject,
    policy: "Background" | "Foreground",
  ): void {
    store.delete(resource, namespace, name, {
      propagationPolicy: policy,
      preconditions: { uid: object.metadata.uid },
    });
  }

  /** Returns whether the owner may go: none of its dependents is left that blocks it. */
  function deleteDependents(ownerUid: string): boolean {
    let blocked = false;
    for (const uid of [...(dependents.get(ownerUid) ?? [])]) {
      const child = find(uid);
      if (!child) continue;
      if (child.object.metadata.deletionTimestamp === undefined)
        remove(child.place, child.object, "Foreground");
      blocked ||= find(uid) !== undefined;
    }
    return !blocked;
  }

  function collect(uid: string): void {
    const found = find(uid);
    if (!found) return;
    const { place, object } = found;
    if (holds(object, orphanFinalizer)) {
      orphan(uid);
      removeFinalizer(place, object, orphanFinalizer);
      return;
    }
    if (holds(object, foregroundFinalizer)) {
      if (deleteDependents(uid)) removeFinalizer(place, object, foregroundFinalizer);
      return;
    }
    const owners = ownersOf(object);
    if (owners.length === 0 || object.metadata.deletionTimestamp !== undefined) return;
    const left = owners.filter((owner) => places.has(owner.uid));
    if (left.length === 0) remove(place, object, "Background");
    else if (left.length < owners.length) {
      const metadata = { ...object.metadata, ownerReferences: left };
      store.update(place.resource, { ...object, metadata });
    }
  }

  const tracked = new Set<string>();
  function track(resource: ResourceRef): void {
    if (tracked.has(qualified(resource))) return;
    tracked.add(qualified(resource));
    for (const object of store.list(resource)) follow(resource, { type: "ADDED", object });
    store.watch(resource, (event) => follow(resource, event));
  }
  for (const resource of ctx.allResources) track(resource);
  onCustomResources(store, track);
}
