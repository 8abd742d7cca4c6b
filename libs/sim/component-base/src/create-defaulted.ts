import type { Rng } from "@microremed/core";
import {
  admitNew,
  admitWithinLimits,
  defaultObject,
  initialStatus,
  withTemplateGeneration,
} from "@microremed/sim-kinds";
import type { KubeObject, NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/**
 * Stores a new object as the API server would for a client: with everything filled in that a write leaves open, and
 * within the namespace's limit ranges and quotas. `names` draws the name for a generateName. Throws 403 when a plug-in
 * forbids it.
 */
export function createDefaulted(
  store: Store,
  resource: ResourceRef,
  object: NewObject,
  names?: Rng,
): KubeObject {
  const admitted = admitNew(store, resource, defaultObject(resource, object));
  // What changes objects knows one by its generateName, what checks them by its name.
  const full = withTemplateGeneration(resource, store.named(resource, admitted, names), undefined);
  admitWithinLimits(store, resource, full, undefined);
  const status = { ...initialStatus(resource, full), ...(full.status as object | undefined) };
  return store.create(resource, Object.keys(status).length > 0 ? { ...full, status } : full);
}
