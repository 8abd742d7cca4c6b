import type { AdmissionHook, Catalog, ResourceType, User } from "@microremed/sim-kinds";
import type { Authorizer } from "../auth/authorizer.ts";
import type { ServiceAccountTokens } from "../auth/service-account-tokens.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.types.ts";
import type { ResourceRequest } from "../http/request-info.ts";
import type { UntakenBound } from "../http/untaken-bound.ts";
import type { JsonCache } from "../output/json-cache.ts";
import type { UnreadBound } from "../output/unread-bound.ts";
import type { WatchLine } from "../output/watch-line.ts";
import type { ApiServerDeps } from "./api-server.types.ts";

/** What every request handler works with. */
export interface ApiContext extends Omit<ApiServerDeps, "admission" | "routes" | "installed"> {
  readonly hooks: readonly AdmissionHook[];
  readonly catalog: Catalog;
  readonly json: JsonCache;
  readonly watchLine: WatchLine;
  readonly unread: UnreadBound;
  readonly untaken: UntakenBound;
  readonly authorizer: Authorizer;
  readonly tokens: ServiceAccountTokens;
}

/** One authenticated and authorised request for objects, which is answered at once. */
export interface ReadCall {
  readonly request: Pick<ApiRequest, "headers">;
  readonly query: URLSearchParams;
  readonly target: ResourceRequest;
  readonly type: ResourceType;
  readonly user: User;
}

/** One authenticated and authorised request about a resource. */
export interface Call extends ReadCall {
  readonly request: ApiRequest;
  readonly response: ApiResponse;
  /** Aborted when the client goes away or the server closes. */
  readonly signal: AbortSignal;
  /** Parsed by its content type; undefined when empty. */
  body(): Promise<unknown>;
  /** Once the body is read: the fields that occur in it twice, in a strict decoder's words. */
  readonly repeated: readonly string[];
}
