import type { NewObject } from "../../objects.ts";
import { forbidden } from "../../store/status-error.ts";
import type { Store } from "../../store.types.ts";

const accounts = { group: "", resource: "serviceaccounts" };
const pods = { group: "", resource: "pods" };

/**
 * Throws 403 when a pod names a service account that does not exist. The default account is taken on trust: it
 * comes a moment after its namespace.
 */
export function requireServiceAccount(store: Store, pod: NewObject): void {
  const { namespace, name = "" } = pod.metadata;
  const account: string = pod.spec?.serviceAccountName ?? "default";
  if (account === "default" || store.get(accounts, namespace, account)) return;
  throw forbidden(
    pods,
    name,
    `error looking up service account ${namespace}/${account}: serviceaccount ${JSON.stringify(account)} not found`,
  );
}
