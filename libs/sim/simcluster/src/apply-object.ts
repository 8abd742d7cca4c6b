import { createDefaulted } from "@microremed/sim-component-base";
import { allocateService, apiVersionOf, storageOf } from "@microremed/sim-kinds";
import { badRequest, type KubeObject, type NewObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { servedKinds } from "./served-kinds.ts";

type Manifest = NewObject & { readonly apiVersion: string; readonly kind: string };

/** Creates or replaces an object as `kubectl apply` would, past the API server. */
export function applyObject(store: Store, object: Manifest): KubeObject {
  const type = servedKinds.find(
    (each) => each.kind === object.kind && apiVersionOf(each) === object.apiVersion,
  );
  if (!type) throw badRequest(`no kind ${object.kind} in ${object.apiVersion}`);
  const ref = storageOf(type);
  const { namespace, name = "" } = object.metadata;
  const old = store.get(ref, namespace, name);
  if (old) return store.update(ref, { ...old, ...object, metadata: { ...old.metadata, ...object.metadata } });
  const allocated = object.kind === "Service" ? allocateService(store, object, undefined) : object;
  return createDefaulted(store, ref, allocated);
}
