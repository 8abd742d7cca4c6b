import type { Logger } from "@microremed/core";
import { readSigningRequest } from "@microremed/sim-kinds";
import { type KubeObject, resources } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import { rfc3339 } from "@microremed/sim-time";
import { permits, signers } from "./signers.ts";

export interface SigningDeps {
  readonly store: Store;
  readonly now: () => number;
  readonly log: Logger;
  /** A certificate for a PKCS#10 request, as PEM text. */
  sign(requestPem: string, usages: readonly string[]): Promise<string>;
}

const hasCondition = (object: KubeObject, type: string): boolean =>
  (object.status?.conditions ?? []).some((condition: { type: string }) => condition.type === type);

/** What the controller manager's signers do: certificates for approved requests. Returns the way to stop. */
export function startSigning({ store, now, log, sign }: SigningDeps): () => void {
  function write(uid: string, name: string, change: (object: KubeObject) => object): void {
    const fresh = store.get(resources.certificateSigningRequests, undefined, name);
    if (fresh?.metadata.uid !== uid || fresh.status?.certificate) return;
    const status = { ...fresh.status, ...change(fresh) };
    store.update(resources.certificateSigningRequests, { ...fresh, status }, { status: true });
  }

  function fail(object: KubeObject, reason: string, message: string): void {
    const at = rfc3339(now());
    const failed = {
      type: "Failed",
      status: "True",
      reason,
      message,
      lastUpdateTime: at,
      lastTransitionTime: at,
    };
    write(object.metadata.uid, object.metadata.name, (fresh) => ({
      conditions: [...(fresh.status?.conditions ?? []), failed],
    }));
  }

  async function consider(object: KubeObject): Promise<void> {
    const { signerName, request, usages = [] } = object.spec;
    const signer = signers[signerName];
    const settled =
      object.status?.certificate || hasCondition(object, "Denied") || hasCondition(object, "Failed");
    if (!signer || settled || !hasCondition(object, "Approved")) return;
    const wanted = readSigningRequest(request);
    if (!wanted || !permits(signer, usages)) {
      fail(object, "SignerValidationFailure", `invalid usages: ${usages.join(", ")}`);
      return;
    }
    const certificate = Buffer.from(await sign(wanted.pem, usages)).toString("base64");
    write(object.metadata.uid, object.metadata.name, () => ({ certificate }));
  }

  return store.watch(resources.certificateSigningRequests, (event) => {
    if (event.type === "DELETED") return;
    consider(event.object).catch((error: unknown) => {
      log.warn({ err: error, request: event.object.metadata.name }, "a certificate could not be signed");
    });
  });
}
