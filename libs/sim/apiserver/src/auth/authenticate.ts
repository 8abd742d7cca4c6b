import { timingSafeEqual } from "node:crypto";
import { TLSSocket } from "node:tls";
import type { TokenUser, User } from "@microremed/sim-kinds";
import { StatusError } from "@microremed/sim-objects";
import type { ApiRequest } from "../http/exchange.types.ts";
import type { Authorizer } from "./authorizer.ts";
import { impersonate } from "./impersonate.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

const adminUser: User = {
  name: "kubernetes-admin",
  uid: "admin",
  groups: ["system:masters", "system:authenticated"],
};

export interface Authenticator {
  /** Who sent the request; undefined: unknown. Throws 403 for an impersonation that is not allowed. */
  authenticate(request: Pick<ApiRequest, "headers" | "socket">): User | undefined;
}

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", "Unauthorized");
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
    bytes: Buffer.from(token),
    user,
  }));
  const bearer = (token: string): User | undefined => {
    const bytes = Buffer.from(token);
    const isSame = (one: Buffer): boolean => one.length === bytes.length && timingSafeEqual(one, bytes);
    return known.find((one) => isSame(one.bytes))?.user ?? tokens.verify(token);
  };
  return {
    authenticate({ headers, socket }) {
      const [, token] = /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "") ?? [];
      const user = token ? bearer(token) : certified(socket);
      return user && impersonate(user, headers, authorizer);
    },
  };
}
