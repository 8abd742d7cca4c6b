import { invalidValue } from "@microremed/sim-kinds";
import {
  conflict,
  invalid,
  isRecord,
  type KubeObject,
  type Loose,
  type LooseRecord,
  notFound,
} from "@microremed/sim-objects";
import { rfc3339 } from "@microremed/sim-time";
import { issuer } from "../auth/service-account-tokens.ts";
import type { ApiContext, Call } from "../context/context.ts";
import type { Reply } from "../http/respond.ts";
import { requireObject } from "../rest/read.ts";

const pods = { group: "", resource: "pods" };
/** Defaults and bounds of a TokenRequest's expirationSeconds: an hour, ten minutes, 2^32 s. */
const defaultSeconds = 3600;
const minSeconds = 600;
const maxSeconds = 2 ** 32;

function audiencesIn({ metadata: { name } }: KubeObject, spec: LooseRecord): readonly string[] {
  const audiences: Loose = spec["audiences"] ?? [];
  const isList = Array.isArray(audiences) && audiences.every((each) => typeof each === "string");
  if (!isList) {
    throw invalid({ group: "authentication.k8s.io", kind: "TokenRequest" }, name, [
      invalidValue("spec.audiences", audiences, "must be a list of strings"),
    ]);
  }
  return audiences.length > 0 ? audiences : [issuer];
}

/** The pod that the token is bound to. Throws 404 when it is not there, 409 when it is another one. */
function boundPod(context: ApiContext, call: Call, ref: Loose): { name: string; uid: string } | undefined {
  if (!isRecord(ref) || ref["kind"] !== "Pod") return undefined;
  const name = String(ref["name"]);
  const pod = context.store.get(pods, call.target.namespace, name);
  if (!pod) throw notFound(pods, name);
  const { uid } = pod.metadata;
  if (ref["uid"] && ref["uid"] !== uid) {
    throw conflict(
      pods,
      name,
      `the UID in the bound object reference (${ref["uid"]}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { name, uid };
}

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
  const audiences = audiencesIn(account, spec);
  const pod = boundPod(context, call, spec["boundObjectRef"]);
  const { token, expiresAt } = context.tokens.issue(account, seconds, { audiences, ...(pod && { pod }) });
  return {
    status: 201,
    body: {
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: account.metadata.name, namespace: account.metadata.namespace },
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec["boundObjectRef"] ?? null },
      status: { token, expirationTimestamp: rfc3339(expiresAt) },
    },
  };
}
