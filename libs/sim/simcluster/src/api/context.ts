import type { IncomingMessage, ServerResponse } from "node:http";
import type { AdmissionHook } from "./admission/admission-hook.types.ts";
import type { ApiServerDeps } from "./api-server.types.ts";
import type { Authorizer } from "./auth/authorizer.ts";
import type { ServiceAccountTokens } from "./auth/service-account-tokens.ts";
import type { User } from "./auth/user.ts";
import type { ResourceRequest } from "./http/request-info.ts";
import type { Catalog } from "./resources/catalog.ts";
import type { ResourceType } from "./resources/resource-type.ts";
import type { JsonCache } from "./rest/json-cache.ts";
import type { UnreadBound } from "./rest/unread-bound.ts";
import type { WatchLine } from "./rest/watch-line.ts";

/** What every request handler works with. */
export interface ApiContext extends Omit<ApiServerDeps, "admission" | "routes" | "tokenKey"> {
  readonly hooks: readonly AdmissionHook[];
  readonly catalog: Catalog;
  readonly json: JsonCache;
  readonly watchLine: WatchLine;
  readonly unread: UnreadBound;
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
}

/** One authenticated and authorised request about a resource. */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly target: ResourceRequest;
  readonly type: ResourceType;
  readonly user: User;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortSignal;
  /** Parsed by its content type; undefined when empty. */
  body(): Promise<unknown>;
  /** Once the body is read: the fields that stand in it twice, in a strict decoder's words. */
  readonly repeated: readonly string[];
}
