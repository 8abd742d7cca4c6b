import { apiVersionOf, type Catalog, type ResourceType, type User } from "@microremed/sim-kinds";
import { badRequest, StatusError } from "@microremed/sim-objects";
import { type Authenticator, unauthorized } from "../auth/authenticate.ts";
import { type Attributes, denied } from "../auth/authorizer.ts";
import type { Route, RouteRequest } from "../context/api-server.types.ts";
import type { ApiContext, Call } from "../context/context.ts";
import { parseBody, readBody } from "../http/body.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.types.ts";
import { boolParam } from "../http/query.ts";
import { parseRequestInfo, type RequestInfo, type ResourceRequest } from "../http/request-info.ts";
import { failure, send } from "../http/respond.ts";
import { handleResource } from "./handle-resource.ts";
import { servedTo } from "./served-to.ts";
import { staticReply, unknownPath } from "./static-paths.ts";

export interface HandlerOptions {
  readonly authenticator: Authenticator;
  readonly routes: readonly Route[];
}

export interface ParsedRequest {
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
}

/** Method and URL as a request. Throws 400 for a URL that cannot be read. */
export function parseRequest(request: ApiRequest): ParsedRequest {
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

const openPaths = new Set(["/healthz", "/livez", "/readyz", "/version"]);

function attributesOf(info: RequestInfo): Attributes {
  const { verb, resource } = info;
  return resource ? { verb, ...resource } : { verb, path: info.path };
}

/** The user, if it may do what the request asks for. Throws 401 and 403. */
export function requireUser(
  context: ApiContext,
  authenticator: Authenticator,
  request: ApiRequest,
  info: RequestInfo,
): User {
  const user = authenticator.authenticate(request);
  if (!user) throw unauthorized();
  const attributes = attributesOf(info);
  if (context.authorizer.authorize(user, attributes) === undefined) throw denied(user, attributes);
  return user;
}

/** The type that a resource request is about. Throws 404 for what is not served. */
export function requireType(catalog: Catalog, target: ResourceRequest): ResourceType {
  const type = catalog.served().findResource(apiVersionOf(target), target.resource);
  if (!type || (target.namespace !== undefined && !type.namespaced)) throw unknownPath();
  return type;
}

async function sendRoute(route: Route, response: ApiResponse, call: RouteRequest): Promise<void> {
  const { status, headers, body } = await route.handle(call);
  if (typeof body === "string") return send(response, { status, body, ...(headers && { headers }) });
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const chunk of body) {
    if (call.signal.aborted) break;
    response.write(chunk);
  }
  response.end();
}

/** One for all: an error of its own for each request would cost more than many requests do. */
const clientGone = new DOMException("the client has gone", "AbortError");

/** Answers every HTTP request that is no upgrade. */
export function createRequestHandler(
  context: ApiContext,
  { authenticator, routes }: HandlerOptions,
): (request: ApiRequest, response: ApiResponse) => Promise<void> {
  async function handle(request: ApiRequest, response: ApiResponse, signal: AbortSignal): Promise<void> {
    const { info, query } = parseRequest(request);
    const route = routes.find(
      (candidate) => candidate.path === info.path && candidate.method === request.method,
    );
    if (route) {
      requireUser(context, authenticator, request, info);
      const body = await readBody(request);
      return sendRoute(route, response, {
        method: route.method,
        path: route.path,
        query,
        host: request.headers.host ?? "",
        body,
        signal,
      });
    }
    if (!info.resource) {
      const isOpen = openPaths.has(info.path) || /^\/(healthz|livez|readyz)\//.test(info.path);
      const user = isOpen ? undefined : requireUser(context, authenticator, request, info);
      return send(response, staticReply(servedTo(context, user), request, info.path));
    }
    const user = requireUser(context, authenticator, request, info);
    const target =
      info.resource.resource === "namespaces" && info.resource.group === ""
        ? { ...info.resource, namespace: undefined }
        : info.resource;
    const repeated: string[] = [];
    const call: Call = {
      request,
      response,
      query,
      target,
      type: requireType(context.catalog, target),
      user,
      signal,
      repeated,
      async body() {
        const parsed = parseBody(await readBody(request), request.headers["content-type"]);
        repeated.push(...parsed.repeated);
        return parsed.value;
      },
    };
    const reply = await handleResource(context, call, info.verb);
    if (reply) send(response, reply);
  }

  return async (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort(clientGone));
    try {
      await handle(request, response, gone.signal);
    } catch (error) {
      if (!(error instanceof StatusError)) {
        context.log.error(
          { error: error instanceof Error ? error.stack : String(error), url: request.url },
          "request failed",
        );
      }
      send(response, failure(error));
      if ("resume" in request) request.resume();
    }
  };
}
