import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { type KubeObject, type OwnerReference, qualified, type ResourceRef } from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import { onCustomResources } from "./custom-resources.ts";
import { foregroundFinalizer, garbageStep, orphanFinalizer, waitsFor } from "./garbage-step.ts";
import { createOwnerGraph, ownersOf, type Place } from "./owner-graph.ts";

interface Found {
  readonly place: Place;
  readonly object: KubeObject;
}

/**
 * Deletes objects whose owners are gone, and carries out the deletion policies of owners: orphan cuts the
 * references first, foreground waits for the dependents.
 */
export function startGarbageCollector(ctx: ControllerContext): void {
  const { store, loop } = ctx;
  const graph = createOwnerGraph(loop);
  const queue = createWorkQueue({ ...ctx, name: "garbage-collector", delayMs: 50 }, collect);

  function find(uid: string): Found | undefined {
    const place = graph.placeOf(uid);
    const object = place && store.get(place.resource, place.namespace, place.name);
    return place && object?.metadata.uid === uid ? { place, object } : undefined;
  }

  function follow(resource: ResourceRef, event: WatchEvent): void {
    const { object } = event;
    const { uid } = object.metadata;
    const owned = graph.follow(resource, event);
    if (event.type === "DELETED") {
      for (const child of graph.dependentsOf(uid)) queue.add(child);
      for (const owner of ownersOf(object)) if (isWaiting(owner.uid)) queue.add(owner.uid);
      return;
    }
    if (owned && ownersOf(object).length > 0) queue.add(uid);
    if (waitsFor(object, foregroundFinalizer) || waitsFor(object, orphanFinalizer)) queue.add(uid);
  }

  function isWaiting(uid: string): boolean {
    const found = find(uid);
    return found !== undefined && waitsFor(found.object, foregroundFinalizer);
  }

  function removeFinalizer({ place, object }: Found, finalizer: string): void {
    const finalizers = object.metadata.finalizers?.filter((each) => each !== finalizer) ?? [];
    store.update(place.resource, { ...object, metadata: { ...object.metadata, finalizers } });
  }

  function keepOwners({ place, object }: Found, ownerReferences: readonly OwnerReference[]): void {
    store.update(place.resource, { ...object, metadata: { ...object.metadata, ownerReferences } });
  }

  function orphanDependents(ownerUid: string): void {
    for (const uid of graph.dependentsOf(ownerUid)) {
      const child = find(uid);
      if (child)
        keepOwners(
          child,
          ownersOf(child.object).filter((owner) => owner.uid !== ownerUid),
        );
    }
  }

  function remove({ place, object }: Found, propagationPolicy: "Background" | "Foreground"): void {
    const { resource, namespace, name } = place;
    store.delete(resource, namespace, name, {
      propagationPolicy,
      preconditions: { uid: object.metadata.uid },
    });
  }

  /** Returns whether the owner may go: none of its dependents is left that blocks it. */
  function deleteDependents(ownerUid: string): boolean {
    let blocked = false;
    for (const uid of graph.dependentsOf(ownerUid)) {
      const child = find(uid);
      if (!child) continue;
      if (child.object.metadata.deletionTimestamp === undefined) remove(child, "Foreground");
      blocked ||= find(uid) !== undefined;
    }
    return !blocked;
  }

  function collect(uid: string): void {
    const found = find(uid);
    if (!found) return;
    const step = garbageStep(found.object, (owner) => graph.placeOf(owner) !== undefined);
    if (step.do === "orphan dependents") {
      orphanDependents(uid);
      removeFinalizer(found, orphanFinalizer);
    } else if (step.do === "delete dependents") {
      if (deleteDependents(uid)) removeFinalizer(found, foregroundFinalizer);
    } else if (step.do === "delete") remove(found, "Background");
    else if (step.do === "keep owners") keepOwners(found, step.owners);
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
