import { hash as hashOnce, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { TLSSocket } from "node:tls";
import type { TokenUser, User } from "@microremed/sim-kinds";
import { StatusError } from "@microremed/sim-objects";
import type { ApiRequest } from "../http/exchange.types.ts";
import type { Authorizer } from "./authorizer.ts";
import { denied } from "./authorizer.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

const adminUser: User = {
  name: "kubernetes-admin",
  uid: "admin",
  groups: ["system:masters", "system:authenticated"],
};

export interface Authenticator {
  /** Who sent the request; undefined: unknown. Throws 403 for an impersonation that is not allowed. */
  authenticate(request: ApiRequest): User | undefined;
}

const digest = (text: string): Buffer => hashOnce("sha256", text, "buffer");

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", "Unauthorized");
}

const listOf = (value: string | string[] | undefined): string[] =>
  (Array.isArray(value) ? value : (value?.split(",") ?? [])).map((item) => item.trim()).filter(Boolean);

/** `kubectl --as`: a user with the right to impersonate acts as another user. */
function impersonated(user: User, headers: IncomingHttpHeaders, authorizer: Authorizer): User {
  const name = headers["impersonate-user"];
  if (typeof name !== "string" || name === "") return user;
  const groups = listOf(headers["impersonate-group"]);
  const wanted = [
    { verb: "impersonate", group: "", resource: "users", name },
    ...groups.map((group) => ({ verb: "impersonate", group: "", resource: "groups", name: group })),
  ];
  for (const attributes of wanted) {
    if (authorizer.authorize(user, attributes) === undefined) throw denied(user, attributes);
  }
  const [, , namespace] = /^system:serviceaccount:/.test(name) ? name.split(":") : [];
  const implied = namespace ? ["system:serviceaccounts", `system:serviceaccounts:${namespace}`] : [];
  return { name, uid: "", groups: [...new Set([...groups, ...implied, "system:authenticated"])] };
}

/** The user that the connection's client certificate names, when the cluster's CA signed it. */
function certified(socket: ApiRequest["socket"]): User | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { CN: name, O: organisations } = socket.getPeerCertificate().subject ?? {};
  if (typeof name !== "string" || name === "") return undefined;
  const groups = typeof organisations === "string" ? [organisations] : (organisations ?? []);
  return { name, uid: "", groups: [...groups, "system:authenticated"] };
}

export function createAuthenticator(
  adminToken: string,
  tokens: ServiceAccountTokens,
  authorizer: Authorizer,
  fixed: readonly TokenUser[] = [],
): Authenticator {
  const known = [{ token: adminToken, user: adminUser }, ...fixed].map(({ token, user }) => ({
    hash: digest(token),
    user,
  }));
  const bearer = (token: string): User | undefined => {
    const hash = digest(token);
    return known.find((one) => timingSafeEqual(one.hash, hash))?.user ?? tokens.verify(token);
  };
  return {
    authenticate({ headers, socket }) {
      const [, token] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "") ?? [];
      const user = token ? bearer(token) : certified(socket);
      return user && impersonated(user, headers, authorizer);
    },
  };
}
