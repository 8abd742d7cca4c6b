import { jsonEqual, type KubeObject, type NewObject, type StatusCause } from "@microremed/sim-objects";
import { forbiddenField, invalidValue, required } from "../fields/field-errors.ts";
import { readSigningRequest } from "../signing/read-request.ts";

export function validateSigningRequest({ spec }: NewObject, old: KubeObject | undefined): StatusCause[] {
  if (old) return jsonEqual(old.spec, spec) ? [] : [forbiddenField("spec", "may not be changed")];
  const causes: StatusCause[] = [];
  if (!readSigningRequest(spec.request))
    causes.push(
      invalidValue(
        "spec.request",
        spec.request ?? "",
        "PEM block type must be CERTIFICATE REQUEST, and hold a PKCS#10 request",
      ),
    );
  if (!(spec.usages?.length > 0)) causes.push(required("spec.usages", "usages must be provided"));
  const signerName: unknown = spec.signerName;
  if (!signerName) causes.push(required("spec.signerName"));
  else if (!/^[a-z0-9.-]+\.[a-z0-9.-]+\/[a-z0-9.-]+$/.test(String(signerName)))
    causes.push(
      invalidValue(
        "spec.signerName",
        signerName,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    );
  const seconds: unknown = spec.expirationSeconds;
  if (typeof seconds === "number" && seconds < 600)
    causes.push(
      invalidValue(
        "spec.expirationSeconds",
        seconds,
        "may not specify a duration less than 600 seconds (10 minutes)",
      ),
    );
  return causes;
}
