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
 * within the namespace's limit ranges and quotas. `nameOf` makes the name of one that has none yet, between the plug-ins
 * that change objects and those that only check them. Throws 403 when a plug-in forbids it.
 */
export function createDefaulted(
  store: Store,
  resource: ResourceRef,
  object: NewObject,
  nameOf?: () => string,
): KubeObject {
  const admitted = admitNew(store, resource, defaultObject(resource, object));
  const named =
    nameOf && !admitted.metadata.name
      ? { ...admitted, metadata: { ...admitted.metadata, name: nameOf() } }
      : admitted;
  const full = withTemplateGeneration(resource, named, undefined);
  admitWithinLimits(store, resource, full, undefined);
  const status = { ...initialStatus(resource, full), ...(full.status as object | undefined) };
  return store.create(resource, Object.keys(status).length > 0 ? { ...full, status } : full);
}
