import type { Rng } from "@microremed/core";
import {
  type AdmissionHook,
  type AdmissionRequest,
  admitNew,
  admitWithinLimits,
  defaultObject,
  initialStatus,
  withTemplateGeneration,
} from "@microremed/sim-kinds";
import type { KubeObject, NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

/** How an object is created, where that is not by the server itself. */
export interface CreateOptions {
  /** Draws the name for a generateName. */
  readonly names?: Rng | undefined;
  /** What is asked about it, as about a client's object. Absent: nothing is. */
  readonly webhooks?: AdmissionHook | undefined;
}

/** All components of the control plane are one user. */
const user = { name: "system:kube-controller-manager", uid: "", groups: ["system:authenticated"] };

/**
 * Stores a new object as the API server would for a client: with everything filled in that a write leaves open, and
 * within the namespace's limit ranges and quotas. Throws a StatusError when a plug-in or a webhook forbids it.
 */
export function createDefaulted(
  store: Store,
  resource: ResourceRef,
  object: NewObject,
  { names, webhooks }: CreateOptions = {},
): KubeObject {
  const complete = admitNew(store, resource, defaultObject(resource, object));
  const { namespace } = object.metadata;
  const request = (one: NewObject): AdmissionRequest => ({
    operation: "CREATE",
    object: one,
    old: undefined,
    user,
    namespace,
    group: resource.group,
    resource: resource.resource,
  });
  const admitted = webhooks?.mutate?.(request(complete)) ?? complete;
  // What changes objects knows one by its generateName, what checks them by its name.
  const full = withTemplateGeneration(resource, store.named(resource, admitted, names), undefined);
  webhooks?.validate?.(request(full));
  admitWithinLimits(store, resource, full, undefined);
  const status = { ...initialStatus(resource, full), ...(full.status as object | undefined) };
  return store.create(resource, Object.keys(status).length > 0 ? { ...full, status } : full);
}
