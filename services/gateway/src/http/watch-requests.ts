import type { Logger } from "@microremed/core";
import type { Metrics } from "@microremed/service-kit";
import type { App } from "./app.types.ts";
import type { InFlight } from "./in-flight.ts";

interface Watching {
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
  readonly underWay: InFlight;
}

/** Seconds; some requests wait for an agent's problem, or for a tool. */
const buckets = [0.002, 0.005, 0.02, 0.1, 0.5, 2, 10, 60];
const longestAgent = 100;

/**
 * Counts every request, and writes the audit log: a line for each request that changes something or is refused, with the token's
 * id and never its secret.
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
  app.addHook("onResponse", async (request, reply) => {
    const { method, token, noted, ip } = request;
    const route = request.routeOptions.url ?? "none";
    const status = reply.statusCode;
    requests?.({ route, method, status: String(status) });
    duration?.({ route, method }, reply.elapsedTime / 1000);
    if (method === "GET" && status < 400) return;
    const line = {
      audit: true,
      ...{ method, route, status, ip, ms: Math.round(reply.elapsedTime) },
      ...(token && { token_id: token.id, scope: token.scope, holder: token.name }),
      ...noted,
      agent: request.headers["user-agent"]?.slice(0, longestAgent),
    };
    log.info(line, "request");
  });
}
