import { apiVersionOf, type Catalog, type ResourceType, type User } from "@microremed/sim-kinds";
import { badRequest } from "@microremed/sim-objects";
import { type Authenticator, unauthorized } from "../auth/authenticate.ts";
import { type Attributes, denied } from "../auth/authorizer.ts";
import type { ApiContext, ReadCall } from "../context/context.ts";
import type { ApiRequest } from "../http/exchange.types.ts";
import { boolParam } from "../http/query.ts";
import { parseRequestInfo, type RequestInfo, type ResourceRequest } from "../http/request-info.ts";
import { unknownPath } from "./static-paths.ts";

export interface ParsedRequest {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
}

/** Method and URL as a request. Throws 400 for a URL that cannot be read. */
export function parseRequest(request: Pick<ApiRequest, "method" | "url">): ParsedRequest {
  const url = URL.parse(request.url ?? "/", "https://localhost");
  if (!url) throw badRequest("the request's URL cannot be read");
  let path: string;
  try {
    path = decodeURIComponent(url.pathname).replace(/\/+$/, "") || "/";
  } catch {
    throw badRequest("the request's path is not valid UTF-8");
  }
  // The deprecated form of a watch.
  const isWatchPath = /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/watch\//.test(path);
  const plain = isWatchPath ? path.replace("/watch/", "/") : path;
  const watching = isWatchPath || boolParam(url.searchParams, "watch");
  return { info: parseRequestInfo(request.method ?? "GET", plain, watching), query: url.searchParams };
}

function attributesOf(info: RequestInfo): Attributes {
  const { verb, resource } = info;
  return resource ? { verb, ...resource } : { verb, path: info.path };
}

/** The user, if it may do what the request asks for. Throws 401 and 403. */
export function requireUser(
  context: ApiContext,
  authenticator: Authenticator,
  request: Pick<ApiRequest, "headers" | "socket">,
  info: RequestInfo,
): User {
  const user = authenticator.authenticate(request);
  if (!user) throw unauthorized();
  requireRight(context, user, info);
  return user;
}

/** Throws 403 unless the user may do what is asked for. */
export function requireRight({ authorizer }: ApiContext, user: User, info: RequestInfo): void {
  const attributes = attributesOf(info);
  if (authorizer.authorize(user, attributes) === undefined) throw denied(user, attributes);
}

/** A resource request without a body, as its handlers take it. Throws 404 for what is not served. */
export function readCallFor(
  { catalog }: ApiContext,
  resource: ResourceRequest,
  { request, query, user }: Pick<ReadCall, "request" | "query" | "user">,
): ReadCall {
  const target = targetOf(resource);
  return { request, query, user, target, type: requireType(catalog, target) };
}

/** The resource that a request is about, as the store keeps it: namespaces are in none, whatever their path says. */
function targetOf(resource: ResourceRequest): ResourceRequest {
  const isNamespace = resource.resource === "namespaces" && resource.group === "";
  return isNamespace ? { ...resource, namespace: undefined } : resource;
}

/** The type that a resource request is about. Throws 404 for what is not served. */
export function requireType(catalog: Catalog, target: ResourceRequest): ResourceType {
  const type = catalog.served().findResource(apiVersionOf(target), target.resource);
  if (!type || (target.namespace !== undefined && !type.namespaced)) throw unknownPath();
  return type;
}
