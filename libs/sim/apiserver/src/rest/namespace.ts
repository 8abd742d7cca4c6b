import { forbidden, notFound } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { Call } from "../context/context.ts";

const namespaces = { group: "", resource: "namespaces" };

/** Throws 404 when the namespace is missing and 403 when it is being deleted. */
export function requireActiveNamespace(store: Store, { type, target }: Call, name: string): void {
  const namespace = target.namespace ?? "";
  const found = store.get(namespaces, undefined, namespace);
  if (!found) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  throw forbidden(
    type,
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
}
