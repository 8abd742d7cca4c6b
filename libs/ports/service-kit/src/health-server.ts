import { createServer } from "node:http";
import type { Registry } from "prom-client";

/** A running server for health checks and metrics. Disposing it closes the port. */
export interface HealthServer extends AsyncDisposable {
  readonly port: number;
}

export interface HealthOptions {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly registry: Registry;
  /** Why the service cannot do its work at this moment; empty when it can. */
  readonly troubles: () => readonly string[];
}

/** Serves `/healthz` (the process lives), `/readyz` (it can do its work) and `/metrics` (Prometheus). */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const { host, port, registry, troubles } = options;
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: string, type = "text/plain"): void => {
      response.writeHead(status, { "content-type": type }).end(body);
    };
    if (request.method !== "GET") return answer(405, "only GET is served here\n");
    switch (request.url?.split("?")[0]) {
      case "/healthz":
        return answer(200, "ok\n");
      case "/readyz": {
        const found = troubles();
        return answer(found.length === 0 ? 200 : 503, `${found.length === 0 ? "ok" : found.join("\n")}\n`);
      }
      case "/metrics":
        return answer(200, await registry.metrics(), registry.contentType);
      default:
        return answer(404, "/healthz, /readyz and /metrics are served here\n");
    }
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
