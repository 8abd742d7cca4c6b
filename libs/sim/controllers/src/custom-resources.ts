import { type ControllerContext, createWorkQueue } from "@microremed/sim-component-base";
import { cleanupFinalizer, definitionsRef, resourceOf } from "@microremed/sim-kinds";
import { type KubeObject, qualified, type ResourceRef } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";

const pollMs = 500;

/** Calls `follow` once for every resource that a CustomResourceDefinition has or will have defined. */
export function onCustomResources(store: Store, follow: (resource: ResourceRef) => void): void {
  const known = new Set<string>();
  const add = (definition: KubeObject): void => {
    const resource = resourceOf(definition);
    if (known.has(qualified(resource))) return;
    known.add(qualified(resource));
    follow(resource);
  };
  for (const definition of store.list(definitionsRef)) add(definition);
  store.watch(definitionsRef, ({ object }) => add(object));
}

/** Deletes the objects of a definition that is being deleted, then lets it go. */
export function startCustomResourceController(ctx: ControllerContext): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "custom-resources", delayMs: 20 }, reconcile);

  function reconcile(name: string): void {
    const definition = store.get(definitionsRef, undefined, name);
    if (definition?.metadata.deletionTimestamp === undefined) return;
    const resource = resourceOf(definition);
    for (const { metadata } of store.list(resource)) {
      if (metadata.deletionTimestamp === undefined) store.delete(resource, metadata.namespace, metadata.name);
    }
    if (store.list(resource).length > 0) {
      queue.addAfter(name, pollMs);
      return;
    }
    const finalizers = definition.metadata.finalizers?.filter((each) => each !== cleanupFinalizer) ?? [];
    store.update(definitionsRef, { ...definition, metadata: { ...definition.metadata, finalizers } });
  }

  store.watch(definitionsRef, ({ object }) => queue.add(object.metadata.name));
}
