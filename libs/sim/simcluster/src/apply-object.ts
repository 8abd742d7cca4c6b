import { createDefaulted } from "@microremed/sim-component-base";
import { allocateService, apiVersionOf, decode, modelOf, storageOf } from "@microremed/sim-kinds";
import { badRequest, type KubeObject, type NewObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { servedKinds } from "./served-kinds.ts";

type Manifest = NewObject & { readonly apiVersion: string; readonly kind: string };

/** Creates or replaces an object as `kubectl apply` would, past the API server. */
export function applyObject(store: Store, sent: Manifest): KubeObject {
  const type = servedKinds.find((each) => each.kind === sent.kind && apiVersionOf(each) === sent.apiVersion);
  if (!type) throw badRequest(`no kind ${sent.kind} in ${sent.apiVersion}`);
  const model = modelOf(type);
  const object: Manifest = model === undefined ? sent : decode(model, sent).value;
  const ref = storageOf(type);
  const { namespace, name = "" } = object.metadata;
  const old = store.get(ref, namespace, name);
  if (old) return store.update(ref, { ...old, ...object, metadata: { ...old.metadata, ...object.metadata } });
  const allocated = object.kind === "Service" ? allocateService(store, object, undefined) : object;
  return createDefaulted(store, ref, allocated);
}
