import { StatusError } from "@microremed/sim-objects";
import type { Authenticator } from "../auth/authenticate.ts";
import type { Route, RouteRequest } from "../context/api-server.types.ts";
import type { ApiContext, Call } from "../context/context.ts";
import { parseBody, readBody } from "../http/body.ts";
import type { ApiRequest, ApiResponse } from "../http/exchange.types.ts";
import { failure, send } from "../http/respond.ts";
import { handleResource } from "./handle-resource.ts";
import { parseRequest, readCallFor, requireUser } from "./parse-request.ts";
import { answerReads, readsPath } from "./reads.ts";
import { servedTo } from "./served-to.ts";
import { staticReply } from "./static-paths.ts";

export interface HandlerOptions {
  readonly authenticator: Authenticator;
  readonly routes: readonly Route[];
}

const openPaths = new Set(["/healthz", "/livez", "/readyz", "/version"]);

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
    if (info.path === readsPath && request.method === "POST") {
      const user = requireUser(context, authenticator, request, info);
      const { value } = parseBody(await readBody(request), "application/json");
      return send(response, answerReads({ context, user, request }, value));
    }
    if (!info.resource) {
      const isOpen = openPaths.has(info.path) || /^\/(healthz|livez|readyz)\//.test(info.path);
      const user = isOpen ? undefined : requireUser(context, authenticator, request, info);
      return send(response, staticReply(servedTo(context, user), request, info.path));
    }
    const user = requireUser(context, authenticator, request, info);
    if (info.verb === "list" || info.verb === "watch") context.untaken.requireRoom(user);
    const repeated: string[] = [];
    const call: Call = {
      ...readCallFor(context, info.resource, { request, query, user }),
      request,
      response,
      signal,
      repeated,
      async body() {
        const parsed = parseBody(await readBody(request), request.headers["content-type"]);
        repeated.push(...parsed.repeated);
        return parsed.value;
      },
    };
    const reply = await handleResource(context, call, info.verb);
    if (!reply) return;
    send(response, reply);
    context.untaken.give(user, response, response.writableLength);
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
