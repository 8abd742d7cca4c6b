import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import type { KubeConfig } from "@kubernetes/client-node";
import { refusal } from "../cluster-errors.ts";
import { isNotAnswered } from "../not-answered.ts";
import { requestPath } from "../request-path.ts";
import { asFailure, type Destination, sendWithRetries } from "../send-with-retries.ts";
import type { CallOptions, Transport } from "../transport.types.ts";
import { beforeAbort } from "./before-abort.ts";

/** Wall clock: the API server answers at once, whatever the cluster's time does. */
const defaultTimeoutMs = 30_000;
const maxBodyBytes = 64 * 2 ** 20;

/**
 * Requests to one API server, signed by its KubeConfig: deadlines, kept-alive connections, retries of what is safe,
 * errors in the product's words. client-node's own object API has none of these, turns dates into objects and drops
 * the fields that it does not know.
 */
export interface ApiRequests extends Pick<Transport, "call" | "read" | "text" | "close"> {
  /** Changes when the credentials had to be read again. */
  readonly config: KubeConfig;
  readonly origin: string;
  /** Opens a response whose body goes on; the caller must destroy it. */
  open(method: string, path: string, options?: CallOptions): Promise<IncomingMessage>;
}

/** `read` gives the KubeConfig: once now, and again whenever the API server no longer knows the credentials. */
export async function connectRequests(
  cluster: string,
  read: () => Promise<KubeConfig>,
): Promise<ApiRequests> {
  let config = await read();
  const server = new URL(config.getCurrentCluster()?.server ?? "");
  const sender = createSender(server);

  /** The response of a 2xx; every other answer is thrown. */
  const attempt = async (method: string, path: string, options: CallOptions): Promise<IncomingMessage> => {
    let response = await sender.send(config, method, path, options);
    if (response.statusCode === 401) {
      response.resume();
      config = await read();
      response = await sender.send(config, method, path, options);
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw refusal(cluster, method, path, status, await readBody(response));
  };

  const to: Destination = {
    cluster,
    origin: server.origin,
    pause: (ms, signal) => delay(ms, undefined, signal ? { signal } : {}),
  };
  const text = (method: string, path: string, options: CallOptions): Promise<string> =>
    sendWithRetries(to, method, path, options, async () => readBody(await attempt(method, path, options)));

  return {
    get config() {
      return config;
    },
    origin: server.origin,
    call: async (method, path, options = {}) => JSON.parse((await text(method, path, options)) || "null"),
    text: (path, query = {}) => text("GET", path, { query }),
    async read(path) {
      try {
        return await readBody(await attempt("GET", path, {}));
      } catch (thrown) {
        if (isNotAnswered(thrown)) return undefined;
        throw asFailure(to, "GET", path, thrown);
      }
    },
    open: (method, path, options = {}) =>
      sendWithRetries(to, method, path, options, () => attempt(method, path, options)),
    close: sender.close,
  };
}

/** Signs and sends over connections that are kept. */
function createSender(server: URL) {
  const { request } = server.protocol === "https:" ? https : http;
  const base = server.pathname.replace(/\/$/, "");
  const agents = new Set<http.Agent>();

  const sign = async (config: KubeConfig): Promise<https.RequestOptions> => {
    const options: https.RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    if (options.agent instanceof http.Agent) {
      // client-node's agents close every connection after one request.
      agents.add(Object.assign(options.agent, { keepAlive: true }));
      shareContext(options.agent);
    }
    return options;
  };

  return {
    async send(
      config: KubeConfig,
      method: string,
      path: string,
      options: CallOptions,
    ): Promise<IncomingMessage> {
      const body = options.body === undefined ? undefined : JSON.stringify(options.body);
      const signal = AbortSignal.any([
        AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
        ...(options.signal ? [options.signal] : []),
      ]);
      // A credential plugin may hang: the deadline holds for it too.
      const signed = await beforeAbort(sign(config), signal);
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const outgoing = request(new URL(`${base}${requestPath(path, options.query)}`, server), {
        ...signed,
        method,
        signal,
        headers: {
          ...signed.headers,
          accept: options.accept ?? "application/json",
          "user-agent": "microremed",
          ...(body !== undefined && {
            "content-type": options.contentType ?? "application/json",
            "content-length": Buffer.byteLength(body),
          }),
        },
      });
      outgoing.on("response", resolve).on("error", reject).end(body);
      return promise;
    },
    close(): void {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Reads the certificates of an agent once, and not again for each of its connections. */
function shareContext(agent: http.Agent): void {
  if (agent instanceof https.Agent) agent.options.secureContext ??= createSecureContext(agent.options);
}

/** The whole body as text; throws when it is larger than 64 MiB or breaks off. */
export async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error(`the answer is larger than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
