import { forbidden, type NewObject } from "@microremed/sim-objects";
import { readSigningRequest } from "../signing/read-request.ts";
import type { User } from "./user.ts";

const ref = { group: "certificates.k8s.io", resource: "certificatesigningrequests" };
const clientSigner = "kubernetes.io/kube-apiserver-client";

/**
 * What a new CertificateSigningRequest gets from the server: who asks. Throws 403 as the CertificateSubjectRestriction
 * admission does.
 */
export function withRequester(object: NewObject, user: User): NewObject {
  const { name, generateName = "" } = object.metadata;
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = object.spec ?? {};
  if (spec.signerName === clientSigner && readSigningRequest(spec.request)?.groups.includes("system:masters"))
    throw forbidden(
      ref,
      name ?? generateName,
      `use of ${clientSigner} signer with system:masters group is not allowed`,
    );
  return { ...object, spec: { ...spec, username: user.name, uid: user.uid, groups: user.groups } };
}
