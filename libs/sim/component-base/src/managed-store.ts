import { builtInRules, tracked, type Writer } from "@microremed/sim-kinds";
import type { KubeObject, NewObject, ResourceRef } from "@microremed/sim-objects";
import type { Store, UpdateOptions } from "@microremed/sim-store";

/** These are not read, and there are many. */
const untracked = new Set(["events", "leases"]);

/** The store as one component of the control plane writes to it: what it sets is noted as its own in managedFields. */
export function createManagedStore(store: Store, manager: string, now: () => number): Store {
  const writer = (kind: string, options: UpdateOptions | undefined): Writer => ({
    manager,
    subresource: options?.status ? "status" : options?.through,
    now: now(),
    rules: builtInRules(kind),
  });

  function owned<T extends NewObject>(
    ref: ResourceRef,
    object: T,
    old: KubeObject | undefined,
    options?: UpdateOptions,
  ): T {
    return untracked.has(ref.resource) ? object : tracked(object, old, writer(object.kind, options));
  }

  const managed: Store = {
    ...store,
    get resourceVersion() {
      return store.resourceVersion;
    },
    create: (ref, object) => store.create(ref, owned(ref, object, undefined)),
    update(ref, object, options) {
      const { namespace, name } = object.metadata;
      return store.update(ref, owned(ref, object, store.get(ref, namespace, name), options), options);
    },
    mutate(ref, namespace, name, change, options) {
      const object = store.get(ref, namespace, name);
      const changed = object && change(object);
      return changed && managed.update(ref, changed, options);
    },
  };
  return managed;
}
