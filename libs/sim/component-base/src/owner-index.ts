import type { KubeObject, OwnerReference, ResourceRef } from "@microremed/sim-objects";
import type { Store, WatchEvent } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";

/** The owner reference with `controller: true`. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller);
}

/** The reference that makes `owner` an object's controller. */
export function controllerReference(owner: KubeObject): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  return {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Objects of one resource by their controller, and those of each namespace that have none. */
export interface OwnerIndex {
  of(ownerUid: string): readonly KubeObject[];
  orphans(namespace: string | undefined): readonly KubeObject[];
}

const orphansOf = (namespace: string | undefined): string => `orphans/${namespace ?? ""}`;

function keyOf(object: KubeObject): string {
  return controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace);
}

/** An index of one kind's objects by the controller that owns them. It follows the store from now on. */
export function createOwnerIndex(
  { store, loop }: { readonly store: Store; readonly loop: Pick<EventLoop, "keep"> },
  resource: ResourceRef,
): OwnerIndex {
  const groups = loop.keep(new Map<string, Map<string, KubeObject>>());

  function remove(object: KubeObject): void {
    const key = keyOf(object);
    const group = groups.get(key);
    group?.delete(object.metadata.uid);
    if (group?.size === 0) groups.delete(key);
  }

  function add(object: KubeObject): void {
    const key = keyOf(object);
    const group = groups.get(key) ?? loop.keep(new Map<string, KubeObject>());
    group.set(object.metadata.uid, object);
    groups.set(key, group);
  }

  function follow(event: WatchEvent): void {
    if (event.type === "DELETED") {
      remove(event.object);
      return;
    }
    const { previous } = event;
    if (previous && keyOf(previous) !== keyOf(event.object)) remove(previous);
    add(event.object);
  }

  for (const object of store.list(resource)) add(object);
  store.watch(resource, follow);
  const valuesOf = (key: string): readonly KubeObject[] => [...(groups.get(key)?.values() ?? [])];
  return { of: valuesOf, orphans: (namespace) => valuesOf(orphansOf(namespace)) };
}
