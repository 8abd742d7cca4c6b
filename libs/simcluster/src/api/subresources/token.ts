import { rfc3339 } from "../../store/rfc3339.ts";
import { invalid } from "../../store/status-error.ts";
import type { ApiContext, Call } from "../context.ts";
import type { Reply } from "../http/respond.ts";
import { isRecord } from "../loose.ts";
import { requireObject } from "../rest/read.ts";
import { invalidValue } from "../validation/field-errors.ts";

const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;

/** `kubectl create token`: a token for a service account, valid in cluster time. */
export async function requestToken(context: ApiContext, call: Call): Promise<Reply> {
  const body = await call.body();
  const account = requireObject(context, call);
  const spec = isRecord(body) && isRecord(body["spec"]) ? body["spec"] : {};
  const seconds: unknown = spec["expirationSeconds"] ?? defaultSeconds;
  if (typeof seconds !== "number" || !(seconds >= minSeconds && seconds <= maxSeconds)) {
    const detail = `may not specify a duration ${Number(seconds) > maxSeconds ? "larger than 2^32 seconds" : "less than 10 minutes"}`;
    throw invalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, account.metadata.name, [
      invalidValue("spec.expirationSeconds", seconds, detail),
    ]);
  }
  const { token, expiresAt } = context.tokens.issue(account, seconds);
  return {
    status: 201,
    body: {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: account.metadata.name, namespace: account.metadata.namespace },
      spec: { audiences: spec["audiences"] ?? [], expirationSeconds: seconds, boundObjectRef: null },
      status: { token, expirationTimestamp: rfc3339(expiresAt) },
    },
  };
}
