import { randomBytes } from "node:crypto";
import { type AdmissionHook, createCatalog } from "@microremed/sim-kinds";
import { type Authenticator, createAuthenticator } from "./auth/authenticate.ts";
import { createAuthorizer } from "./auth/authorizer.ts";
import { createServiceAccountTokens } from "./auth/service-account-tokens.ts";
import { createTokenKeys } from "./auth/token-keys.ts";
import type { ApiServerDeps } from "./context/api-server.types.ts";
import type { ApiContext } from "./context/context.ts";
import { createRequestHandler } from "./handle/handle-request.ts";
import type { ApiRequest, ApiResponse } from "./http/exchange.types.ts";
import { createUntakenBound } from "./http/untaken-bound.ts";
import { createJsonCache } from "./output/json-cache.ts";
import { createUnreadBound } from "./output/unread-bound.ts";
import { createWatchLine } from "./output/watch-line.ts";

/** An API server without the server: who it knows and how it answers, however requests arrive. */
export interface Api {
  readonly context: ApiContext;
  readonly hooks: AdmissionHook[];
  readonly authenticator: Authenticator;
  /** Full rights, group system:masters. */
  readonly adminToken: string;
  readonly handle: (request: ApiRequest, response: ApiResponse) => Promise<void>;
}

/**
 * The API server without a socket: `createLocalApi` calls it in this process, `createApiServer` serves it over HTTPS.
 * The admin's token is new each time.
 */
export function createApi(deps: ApiServerDeps): Api {
  const hooks: AdmissionHook[] = [...(deps.admission ?? [])];
  const adminToken = randomBytes(24).toString("base64url");
  const authorizer = createAuthorizer(deps.store);
  const tokens = deps.tokens ?? createServiceAccountTokens(deps.store, createTokenKeys(), deps.now);
  const context: ApiContext = {
    ...deps,
    hooks,
    catalog: createCatalog(deps.store, deps.installed),
    json: createJsonCache(),
    watchLine: createWatchLine(),
    unread: createUnreadBound(),
    untaken: createUntakenBound(),
    authorizer,
    tokens,
  };
  const authenticator = createAuthenticator(adminToken, tokens, authorizer, deps.users);
  const handle = createRequestHandler(context, { authenticator, routes: deps.routes ?? [] });
  return { context, hooks, authenticator, adminToken, handle };
}
