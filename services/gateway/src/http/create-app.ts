import { readFileSync } from "node:fs";
import cors from "@fastify/cors";
import { TokenScope } from "@microremed/contracts";
import { AppError, type Logger, terminal } from "@microremed/core";
import type { Metrics } from "@microremed/service-kit";
import type { State } from "@microremed/state";
import Fastify, { type FastifyRequest } from "fastify";
import { validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { answerUnread, refuseExpectations } from "./answer-early.ts";
import { answerError } from "./answer-error.ts";
import type { App } from "./app.types.ts";
import { createInFlight } from "./in-flight.ts";
import { limitConnections } from "./limit-connections.ts";
import { checkOrigin, type Origins } from "./origins.ts";
import { assertOpens, tokenOf } from "./request-token.ts";
import { checkedSerializer } from "./serializers.ts";
import { watchRequests } from "./watch-requests.ts";

/** What the HTTP server works with, and its limits. */
export interface AppOptions {
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly tokens: Pick<State["tokens"], "use">;
  readonly origins: Origins;
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Proxies before it that are believed. */
  readonly proxies: number;
  readonly mostConnections: number;
  /** Requests under way of one token. */
  readonly mostRequests: number;
}

/** Bytes of a request's body: the longest playbook with every character escaped, and as much again. */
const bodyBytes = 1_048_576;
/** How long the head of a request, and all of it, may take to arrive, ms. */
const headersMs = 10_000;
const requestMs = 30_000;
const keepAliveMs = 75_000;
/** Characters of one part of a path. */
const longestParameter = 300;

const stopping = new AppError("too-many-requests", "this gateway is stopping: ask another one", {
  severity: "retryable",
  retryAfterMs: 1_000,
  details: { status: 503 },
});

const noQuery = z.strictObject({});

/** Fastify has null for no body, for which schemas have no default. */
const compileValidator: typeof validatorCompiler = (route) => {
  const validate = validatorCompiler(route);
  return (data: unknown) => validate(data ?? undefined);
};

function notFound({ method, url }: FastifyRequest): AppError {
  return terminal(
    "invalid-request",
    `there is no ${method} ${url.slice(0, 200)}; /docs lists what there is`,
    { status: 404 },
  );
}

/** The HTTP server without routes. Whatever is asked of it has a token that may ask it, unless a route says that anyone may. */
export async function createApp(options: AppOptions): Promise<App> {
  const { log, metrics, tokens, origins, tls, proxies, mostConnections, mostRequests } = options;
  const app = Fastify({
    logger: false,
    // The types of Fastify know servers with TLS apart; to routes they are the same.
    ...((tls && { https: { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) } }) as object),
    bodyLimit: bodyBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    http: { headersTimeout: headersMs },
    routerOptions: { maxParamLength: longestParameter },
    trustProxy: (_, hop) => hop < proxies,
    forceCloseConnections: true,
    // Below, with the body that every error has.
    return503OnClosing: false,
    clientErrorHandler: answerUnread,
    frameworkErrors: (thrown, request, reply) => answerError(thrown, request, reply, log),
  }).withTypeProvider<ZodTypeProvider>();
  refuseExpectations(app.server);
  limitConnections(app.server, { most: mostConnections, byAddress: proxies === 0 });
  // JSON, or nothing.
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, text, done) => {
    if (text === "") done(null, undefined);
    else parse(request, String(text), done);
  });
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(checkedSerializer);
  // Before the token is asked for: a browser sends none with the question whether it may ask.
  if (origins.allowed.length > 0)
    await app.register(cors, {
      origin: [...origins.allowed],
      methods: ["GET", "POST", "DELETE"],
      maxAge: 600,
    });
  const underWay = createInFlight(mostRequests);
  // A field that a route does not know is a slip: without it more would be answered than was asked for.
  app.addHook("onRoute", ({ url, schema }) => {
    if (schema && url.startsWith("/v1/")) schema.querystring ??= noQuery;
  });

  app.decorateRequest("token", null);
  app.decorateRequest("noted");
  watchRequests(app, { log, metrics, underWay });
  let isStopping = false;
  app.addHook("preClose", async () => {
    isStopping = true;
  });
  app.addHook("onRequest", async (request, { raw }) => {
    if (isStopping) throw stopping;
    const { origin, host } = request.headers;
    checkOrigin({ origin, host }, origins);
    const { access = request.is404 ? TokenScope.options : (["admin"] as const) } =
      request.routeOptions.config;
    if (access === "anyone") return;
    const token = await tokenOf(request.headers.authorization, tokens);
    request.token = token;
    assertOpens(token, access);
    if (raw.closed) return;
    underWay.enter(token.id);
    // Fastify calls no hook when a caller goes away before its answer.
    raw.once("close", () => underWay.leave(token.id));
  });
  app.setErrorHandler((thrown, request, reply) => answerError(thrown, request, reply, log));
  app.setNotFoundHandler((request, reply) => answerError(notFound(request), request, reply, log));
  return app;
}
