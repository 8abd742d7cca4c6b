import type { Logger } from "@microremed/core";
import type { Metrics } from "@microremed/service-kit";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "./app.types.ts";
import type { InFlight } from "./in-flight.ts";

interface Watching {
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly underWay: InFlight;
}

/** Seconds; some requests wait for an agent's problem, or for a tool. */
const buckets = [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];
/** Status, in logs and metrics, of a request whose caller went away before its answer. */
const callerGone = 499;
const longestAgent = 100;
/** Lines about requests that no token was found for, in so many ms: a flood of them fills no disk. */
const mostStrange = 100;
const strangeMs = 10_000;

/**
 * Counts every request, and writes the audit log: a line for each request that changes something or is refused, with the token's
 * id and never its secret. Of a flood without a token only the first lines are written, and how many were left out.
 */
export function watchRequests(app: App, { log, metrics, underWay }: Watching): void {
  const requests = metrics?.counter({
    name: "microremed_gateway_requests_total",
    help: "HTTP requests by route and status",
    labels: ["route", "method", "status"],
  });
  const duration = metrics?.histogram({
    name: "microremed_gateway_request_duration_seconds",
    help: "How long answering a request took, what it waited for included",
    labels: ["route", "method"],
    buckets,
  });
  metrics?.gauges(
    [{ name: "microremed_gateway_requests", help: "Requests under way with a token", labels: [] }],
    async () => [{ name: "microremed_gateway_requests", labels: {}, value: underWay.size }],
  );
  const strange = createLineLimit(mostStrange, strangeMs);
  const finished = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, token, noted, ip } = request;
    const route = request.routeOptions.url ?? "none";
    const status = reply.raw.writableFinished ? reply.statusCode : callerGone;
    requests?.({ route, method, status: String(status) });
    duration?.({ route, method }, reply.elapsedTime / 1000);
    if (method === "GET" && status < 400) return;
    const room = token ? { leftOut: 0 } : strange();
    if (room === undefined) return;
    const line = {
      audit: true,
      ...(room.leftOut > 0 && { left_out: room.leftOut }),
      ...{ method, route, status, ip, ms: Math.round(reply.elapsedTime) },
      ...(token && { token_id: token.id, scope: token.scope, holder: token.name }),
      ...noted,
      agent: request.headers["user-agent"]?.slice(0, longestAgent),
    };
    log.info(line, "request");
  };
  // Fastify calls no hook when a caller goes away before its answer.
  app.addHook("onRequest", async (request, reply) => {
    request.noted = {};
    reply.raw.once("close", () => finished(request, reply));
  });
}

/** Undefined: there is no room for a line. Else how many were left out before it. */
function createLineLimit(most: number, everyMs: number): () => { readonly leftOut: number } | undefined {
  let since = Number.NEGATIVE_INFINITY;
  let written = 0;
  let missing = 0;
  return () => {
    const now = performance.now();
    if (now - since >= everyMs) {
      since = now;
      written = 0;
    }
    if (written >= most) {
      missing++;
      return undefined;
    }
    written++;
    const leftOut = missing;
    missing = 0;
    return { leftOut };
  };
}
