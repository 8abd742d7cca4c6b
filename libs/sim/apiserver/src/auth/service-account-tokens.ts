import { createHmac, timingSafeEqual } from "node:crypto";
import type { User } from "@microremed/sim-kinds";
import { isRecord, type KubeObject, type LooseRecord } from "@microremed/sim-objects";
import type { Store } from "@microremed/sim-store";
import type { TokenKey, TokenKeys } from "./token-keys.ts";

export interface TokenOptions {
  /** Who is to take the token; without any the API server. */
  readonly audiences?: readonly string[];
  /** The token dies with this pod. */
  readonly pod?: { readonly name: string; readonly uid: string };
}

/** Issues the tokens of service accounts and reads them back; lifetimes are seconds of cluster time. */
export interface ServiceAccountTokens {
  /** A signed token for the account that holds for `seconds` of cluster time. */
  issue(
    account: KubeObject,
    seconds: number,
    options?: TokenOptions,
  ): { readonly token: string; readonly expiresAt: number };
  /** The token that a Secret holds: it never expires, and dies with the Secret. */
  issueFor(account: KubeObject, secret: KubeObject): string;
  readonly keys: TokenKeys;
  /** The user of a token; undefined when it is forged, expired, meant for others, or its account or pod is gone. */
  verify(token: string): User | undefined;
}

/** The API server's own audience. */
export const issuer = "https://kubernetes.default.svc.cluster.local";
const accounts = { group: "", resource: "serviceaccounts" };
const pods = { group: "", resource: "pods" };
const secrets = { group: "", resource: "secrets" };
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Whether a Secret is the one that the token was made for, and has it still. */
function isIn(held: KubeObject | undefined, uid: unknown, token: string): boolean {
  const data: LooseRecord = held?.["data"] ?? {};
  return held?.metadata.uid === uid && data["token"] === Buffer.from(token).toString("base64");
}

function serviceAccountUser(account: KubeObject): User {
  const { namespace = "", name, uid } = account.metadata;
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}

function readPart(part: string): LooseRecord | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Tokens in the form of JWTs. */
export function createServiceAccountTokens(
  store: Store,
  keys: TokenKeys,
  now: () => number,
): ServiceAccountTokens {
  const sign = ({ secret }: TokenKey, text: string): string =>
    createHmac("sha256", secret).update(text).digest("base64url");
  const signed = (claims: object): string => {
    const text = `${encode({ alg: "HS256", kid: keys.current.id })}.${encode(claims)}`;
    return `${text}.${sign(keys.current, text)}`;
  };
  return {
    keys,
    issueFor(account, secret) {
      const { namespace = "", name, uid } = account.metadata;
      const ownSecret = { name: secret.metadata.name, uid: secret.metadata.uid };
      return signed({
        aud: [issuer],
        iss: issuer,
        "kubernetes.io": { namespace, secret: ownSecret, serviceaccount: { name, uid } },
        sub: `system:serviceaccount:${namespace}:${name}`,
      });
    },
    issue(account, seconds, { audiences = [], pod } = {}) {
      const { namespace = "", name, uid } = account.metadata;
      const issuedAt = Math.floor(now() / 1000);
      const claims = {
        aud: audiences.length > 0 ? audiences : [issuer],
        exp: issuedAt + seconds,
        iat: issuedAt,
        iss: issuer,
        "kubernetes.io": { namespace, ...(pod && { pod }), serviceaccount: { name, uid } },
        nbf: issuedAt,
        sub: `system:serviceaccount:${namespace}:${name}`,
      };
      return { token: signed(claims), expiresAt: claims.exp * 1000 };
    },
    verify(token) {
      const [header, payload, signature, ...more] = token.split(".");
      if (!header || !payload || !signature || more.length > 0) return undefined;
      const claims = readPart(payload);
      const id = readPart(header)?.["kid"];
      const issuedAt = typeof claims?.["iat"] === "number" ? claims["iat"] : 0;
      const key = typeof id === "string" ? keys.find(id, issuedAt) : undefined;
      if (!key) return undefined;
      const expected = Buffer.from(sign(key, `${header}.${payload}`));
      const given = Buffer.from(signature);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const bound = claims?.["kubernetes.io"];
      if (!claims?.["aud"]?.includes(issuer)) return undefined;
      const { pod, secret } = bound ?? {};
      // Only a Secret's token may go without an expiry.
      if (!(claims["exp"] * 1000 > now()) && !(secret && claims["exp"] === undefined)) return undefined;
      if (pod && store.get(pods, bound.namespace, pod.name)?.metadata.uid !== pod.uid) return undefined;
      if (secret && !isIn(store.get(secrets, bound.namespace, secret.name), secret.uid, token))
        return undefined;
      const account = store.get(accounts, bound?.namespace, bound?.serviceaccount?.name);
      return account?.metadata.uid === bound?.serviceaccount?.uid && account
        ? serviceAccountUser(account)
        : undefined;
    },
  };
}
