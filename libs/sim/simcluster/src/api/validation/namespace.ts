import { forbidden, notFound } from "../../store/status-error.ts";
import type { Store } from "../../store.types.ts";
import type { Call } from "../context.ts";

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
