import type { KubeObject, OwnerReference, ResourceRef } from "@microremed/sim-objects";
import type { WatchEvent } from "@microremed/sim-store";
import type { EventLoop } from "@microremed/sim-time";

/** Where an object is stored. */
export interface Place {
  readonly resource: ResourceRef;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Which object owns which, by uid. */
export interface OwnerGraph {
  placeOf(uid: string): Place | undefined;
  dependentsOf(uid: string): readonly string[];
  /** Takes a change in; returns whether the object's owners changed with it. */
  follow(resource: ResourceRef, event: WatchEvent): boolean;
}

export const ownersOf = (object: KubeObject): readonly OwnerReference[] =>
  object.metadata.ownerReferences ?? [];

export function createOwnerGraph(loop: Pick<EventLoop, "keep">): OwnerGraph {
  const places = loop.keep(new Map<string, Place>());
  const dependents = loop.keep(new Map<string, Set<string>>());

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

  return {
    placeOf: (uid) => places.get(uid),
    dependentsOf: (uid) => [...(dependents.get(uid) ?? [])],
    follow(resource, event) {
      const { object } = event;
      const { uid, namespace, name } = object.metadata;
      if (event.type === "DELETED") {
        places.delete(uid);
        unlink(object);
        return true;
      }
      places.set(uid, { resource, namespace, name });
      const { previous } = event;
      if (previous && ownersOf(previous) === ownersOf(object)) return false;
      if (previous) unlink(previous);
      link(object);
      return true;
    },
  };
}
