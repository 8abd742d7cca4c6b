import { defaultObject, initialStatus } from "../api/defaults/default-object.ts";
import type { KubeObject, NewObject, ResourceRef } from "../objects.ts";
import type { Store } from "../store.types.ts";

/** Stores a new object as the API server would for a client: with everything filled in that a write leaves open. */
export function createDefaulted(store: Store, resource: ResourceRef, object: NewObject): KubeObject {
  const full = defaultObject(resource, object);
  const status = { ...initialStatus(resource, full), ...(full.status as object | undefined) };
  return store.create(resource, Object.keys(status).length > 0 ? { ...full, status } : full);
}
