import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type Logger, terminal } from "@microremed/core";
import { notFound } from "@microremed/sim-objects";
import type { ApiServer, ApiServerDeps } from "./context/api-server.types.ts";
import { createApi } from "./create-api.ts";
import { inClientTime } from "./http/client-time.ts";
import { failure, send } from "./http/respond.ts";
import { createLocalApi } from "./local-api.ts";
import { certificates } from "./signing/certificates.ts";
import { renderKubeconfig } from "./signing/kubeconfig.ts";
import { startSigning } from "./signing/signing-controller.ts";
import { createStreamUpgrade } from "./streams/stream-upgrade.ts";

const serviceAccounts = { group: "", resource: "serviceaccounts" };
/** Longer than any client's own, so that no client meets a connection that is just being closed. */
const keepAliveMs = 120_000;
const maxHeaderBytes = 32 * 1024;
const headersTimeoutMs = 30_000;
/** For sending a request with its body; answers may take as long as they like. */
const requestTimeoutMs = 120_000;

/**
 * The API server of one embedded cluster: Kubernetes' HTTP interface over a store. It holds no state of its own;
 * whatever a write changes, controllers see in the store.
 */
export async function createApiServer(deps: ApiServerDeps): Promise<ApiServer> {
  const { caPem, certPem, keyPem, issueClient, signRequest } = await certificates(deps.identity);
  const inner = createApi(deps);
  const { context, hooks, authenticator, adminToken, handle } = inner;
  const { tokens } = context;
  const closing = new AbortController();
  const stopSigning = startSigning({ ...deps, sign: signRequest });
  const upgrade = createStreamUpgrade(context, { authenticator, closing: closing.signal });

  /** Clients of the network go by the wall clock; what the answers say is cluster time. */
  const handleHere = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const now = deps.now();
    response.setHeader("date", new Date(now).toUTCString());
    return handle(request, inClientTime(request, response, Date.now() - now));
  };

  const server = createHttps({ caPem, certPem, keyPem }, handleHere, upgrade, deps.log);

  let url = "";
  let closed: Promise<void> | undefined;
  const api: ApiServer = {
    async listen({ port = 0, host = "127.0.0.1" } = {}) {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      }).catch((error: unknown) => {
        throw terminal(
          "listen-failed",
          `the embedded API server cannot listen on ${host}:${port}: ${String(error)}`,
        );
      });
      const address = server.address() as AddressInfo;
      const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
      url = `https://${reachable}:${address.port}`;
    },
    get url() {
      return url;
    },
    caPem,
    adminToken,
    local: createLocalApi(inner),
    kubeconfig: (cluster = "embedded") =>
      renderKubeconfig({ cluster, url, caPem, user: `${cluster}-admin`, credentials: { token: adminToken } }),
    async userKubeconfig(user, { cluster = "embedded", namespace } = {}) {
      const credentials = await issueClient(user);
      const place = { cluster, url, caPem, ...(namespace && { namespace }) };
      return renderKubeconfig({ ...place, user: user.name, credentials });
    },
    issueServiceAccountToken({ namespace, name, seconds }) {
      const account = deps.store.get(serviceAccounts, namespace, name);
      if (!account) throw notFound(serviceAccounts, name);
      return tokens.issue(account, seconds);
    },
    registerAdmission: (hook) => void hooks.push(hook),
    close() {
      closed ??= new Promise<void>((resolve) => {
        closing.abort();
        stopSigning();
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return closed;
    },
    [Symbol.asyncDispose]: () => api.close(),
  };
  return api;
}

/** The listeners of an API server, which answer whatever goes wrong on the way to it. */
function createHttps(
  { caPem, certPem, keyPem }: { readonly caPem: string; readonly certPem: string; readonly keyPem: string },
  handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  upgrade: ReturnType<typeof createStreamUpgrade>,
  log: Logger,
): Server {
  const server = createServer(
    {
      key: keyPem,
      cert: certPem,
      ca: caPem,
      requestCert: true,
      // Most clients show a token instead; who shows neither is refused request by request.
      rejectUnauthorized: false,
      keepAliveTimeout: keepAliveMs,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      maxHeaderSize: maxHeaderBytes,
    },
    (request: IncomingMessage, response: ServerResponse) => {
      handle(request, response).catch((error: unknown) => {
        log.error({ error: String(error), url: request.url }, "request failed");
        send(response, failure(error));
      });
    },
  );
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    upgrade(request, socket, head).catch((error: unknown) => {
      log.error({ error: String(error), url: request.url }, "stream failed");
      socket.destroy();
    });
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
    const line = tooLarge ? "431 Request Header Fields Too Large" : "400 Bad Request";
    const { body } = failure(error);
    const text = JSON.stringify({
      ...(body as object),
      code: tooLarge ? 431 : 400,
      reason: "BadRequest",
      message: line,
    });
    socket.end(
      `HTTP/1.1 ${line}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
    );
  });
  server.on("tlsClientError", (_error, socket) => socket.destroy());
  return server;
}
