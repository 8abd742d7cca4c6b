import { customResources } from "../api/custom/definitions.ts";
import type { KubeObject, ResourceRef } from "../objects.ts";
import { resources } from "../resources.ts";
import type { ControllerContext } from "./context.ts";
import { createWorkQueue } from "./work-queue.ts";

/** What a namespace may hold to the end without its deletion waiting for it: nobody cleans these up after pods. */
const pollMs = 500;

/** Gives every namespace its defaults, and empties and removes one that is being deleted. */
export function startNamespaceController(ctx: ControllerContext, caPem: () => string): void {
  const { store } = ctx;
  const queue = createWorkQueue({ ...ctx, name: "namespace", delayMs: 20 }, reconcile);

  function ensure(resource: ResourceRef, kind: string, namespace: string, name: string, rest: object): void {
    if (store.get(resource, namespace, name)) return;
    store.create(resource, { apiVersion: "v1", kind, metadata: { name, namespace }, ...rest });
  }

  function addDefaults(namespace: string): void {
    ensure(resources.serviceAccounts, "ServiceAccount", namespace, "default", {});
    ensure(resources.configMaps, "ConfigMap", namespace, "kube-root-ca.crt", { data: { "ca.crt": caPem() } });
  }

  /** Deletes everything in the namespace. Returns how many objects are still there. */
  function empty(namespace: string): number {
    let left = 0;
    for (const resource of [...ctx.allResources, ...customResources(store)]) {
      for (const object of store.list(resource, namespace)) {
        if (object.metadata.deletionTimestamp === undefined) {
          store.delete(resource, namespace, object.metadata.name, { propagationPolicy: "Background" });
        }
        if (store.get(resource, namespace, object.metadata.name)) left += 1;
      }
    }
    return left;
  }

  function finalize(namespace: KubeObject): void {
    const finalizers = (namespace.spec?.finalizers ?? []).filter((name: string) => name !== "kubernetes");
    store.update(resources.namespaces, { ...namespace, spec: { ...namespace.spec, finalizers } });
  }

  function reconcile(name: string): void {
    const namespace = store.get(resources.namespaces, undefined, name);
    if (!namespace) return;
    if (namespace.metadata.deletionTimestamp === undefined) {
      addDefaults(name);
      return;
    }
    if (empty(name) > 0) {
      queue.addAfter(name, pollMs);
      return;
    }
    finalize(namespace);
  }

  for (const { metadata } of store.list(resources.namespaces)) queue.add(metadata.name);
  store.watch(resources.namespaces, ({ object }) => queue.add(object.metadata.name));
  for (const resource of [resources.serviceAccounts, resources.configMaps]) {
    store.watch(resource, (event) => {
      if (event.type === "DELETED" && event.object.metadata.namespace)
        queue.add(event.object.metadata.namespace);
    });
  }
}
