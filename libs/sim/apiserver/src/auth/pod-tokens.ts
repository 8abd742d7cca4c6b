import type { KubeObject } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

const accounts = { group: "", resource: "serviceaccounts" };
/** What the ServiceAccount admission asks for; the API server gives a year instead, as --service-account-extend-token-expiration has it. */
const askedByAdmission = 3607;
/** The API server's --service-account-extend-token-expiration: tokens that pods get by default live for a year. */
const extendedSeconds = 365 * 86_400;

/** Tokens for the files in pods: of the pod's account, for the API server unless another audience is named. */
export function createPodTokens(
  store: Store,
  tokens: ServiceAccountTokens,
): (pod: KubeObject, seconds: number, audience?: string) => string | undefined {
  return ({ metadata, spec }, seconds, audience) => {
    const account = store.get(accounts, metadata.namespace, spec.serviceAccountName ?? "default");
    if (!account) return undefined;
    const lifetime = seconds === askedByAdmission && !audience ? extendedSeconds : seconds;
    const pod = { name: metadata.name, uid: metadata.uid };
    return tokens.issue(account, lifetime, { pod, ...(audience && { audiences: [audience] }) }).token;
  };
}
