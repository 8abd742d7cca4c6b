import {
  admitNew,
  admitWithinQuota,
  defaultObject,
  initialStatus,
  withTemplateGeneration,
} from "@microremed/sim-kinds";
import type { KubeObject, NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/**
 * Stores a new object as the API server would for a client: with everything filled in that a write leaves open, and
 * within the namespace's limit ranges and quotas. Throws 403 when those forbid it.
 */
export function createDefaulted(store: Store, resource: ResourceRef, object: NewObject): KubeObject {
  const full = withTemplateGeneration(
    resource,
    admitNew(store, resource, defaultObject(resource, object)),
    undefined,
  );
  admitWithinQuota(store, resource, full, undefined);
  const status = { ...initialStatus(resource, full), ...(full.status as object | undefined) };
  return store.create(resource, Object.keys(status).length > 0 ? { ...full, status } : full);
}
