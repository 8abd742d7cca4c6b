import { invalidValue, storageOf, tracked } from "@microremed/sim-kinds";
import { conflict, forbidden, invalid, type KubeObject, modifiedSinceRead } from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import type { ApiContext, Call } from "../context/context.ts";
import { isDryRun } from "../http/query.ts";
import type { Reply } from "../http/respond.ts";
import { readObject } from "../rest/incoming.ts";
import { requireObject } from "../rest/read.ts";
import { reply } from "../rest/update.ts";
import { writerOf } from "../rest/writer.ts";

interface Condition {
  readonly type: string;
  readonly status?: string;
  readonly lastUpdateTime?: string | null;
  readonly lastTransitionTime?: string | null;
}

/** The signer's `approve` right, which the CertificateApproval admission asks for. */
function requireSigner(context: ApiContext, { user }: Call, object: KubeObject): void {
  const name: string = object.spec.signerName;
  const [domain = ""] = name.split("/");
  const may = [name, `${domain}/*`].some((signer) => {
    const attributes = { verb: "approve", group: "certificates.k8s.io", resource: "signers", name: signer };
    return context.authorizer.authorize(user, attributes) !== undefined;
  });
  if (!may)
    throw forbidden(
      { group: "certificates.k8s.io", resource: "certificatesigningrequests" },
      object.metadata.name,
      `user not permitted to approve requests with signerName ${JSON.stringify(name)}`,
    );
}

/** `kubectl certificate approve|deny`: only the conditions of the request change. */
export async function handleApproval(context: ApiContext, call: Call, verb: string): Promise<Reply> {
  const old = requireObject(context, call);
  if (verb === "get") return reply(context, call, old);
  const sent = readObject(call.type, await call.body());
  requireSigner(context, call, old);
  const { resourceVersion } = sent.metadata;
  if (resourceVersion && resourceVersion !== old.metadata.resourceVersion)
    throw conflict(call.type, old.metadata.name, modifiedSinceRead);
  const given = (sent["status"] as { conditions?: readonly Condition[] } | undefined)?.conditions ?? [];
  const types = given.map(({ type }) => type);
  if (types.includes("Approved") && types.includes("Denied"))
    throw invalid(call.type, old.metadata.name, [
      invalidValue("status.conditions", "Denied", "Approved and Denied conditions are mutually exclusive"),
    ]);
  const now = rfc3339(context.now());
  const conditions = given.map((condition) => ({
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? now,
  }));
  const next = tracked(
    { ...old, status: { ...old.status, conditions } } as KubeObject,
    old,
    writerOf(context, call),
  );
  if (isDryRun(call.query)) return reply(context, call, next);
  return reply(context, call, context.store.update(storageOf(call.type), next, { status: true }));
}
