import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import type { KubeConfig } from "@kubernetes/client-node";
import { AppError } from "@microremed/core";
import { refusal, unreachable } from "./cluster-errors.ts";

/** Wall clock: the API server answers at once, whatever the cluster's time does. */
const defaultTimeoutMs = 30_000;
const maxBodyBytes = 64 * 2 ** 20;
const retryDelaysMs = [100, 300, 900];
/** What the API server says for a backend that is not there, or not well. */
const notAnswered = new Set([400, 404, 500, 502, 503, 504]);

interface CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  /** Wall clock, ms; default 30 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Sending it twice does what sending it once does; default: true for GET, PUT and DELETE. */
  readonly repeatable?: boolean;
}

/**
 * Requests to one API server, signed by its KubeConfig: deadlines, kept-alive connections, retries of what is safe,
 * errors in the product's words. client-node's own object API has none of these, turns dates into objects and drops
 * the fields that it does not know.
 */
export interface Transport {
  /** Changes when the credentials had to be read again. */
  readonly config: KubeConfig;
  readonly server: URL;
  /** JSON answer of a 2xx. Throws `cluster-unreachable` (retryable) or `cluster-refused` (terminal, details.status). */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** Text of a 2xx; undefined when what the API server proxies to does not answer so. Sent once. */
  read(path: string): Promise<string | undefined>;
  /** Opens a response whose body goes on; the caller must destroy it. */
  open(method: string, path: string, options?: CallOptions): Promise<IncomingMessage>;
  /** Closes the kept-alive connections. */
  close(): void;
}

/** `read` gives the KubeConfig: once now, and again whenever the API server no longer knows the credentials. */
export async function createTransport(cluster: string, read: () => Promise<KubeConfig>): Promise<Transport> {
  let config = await read();
  const server = new URL(config.getCurrentCluster()?.server ?? "");
  const { request } = server.protocol === "https:" ? https : http;
  const agents = new Set<http.Agent>();

  const sign = async (): Promise<https.RequestOptions> => {
    const options: https.RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    if (options.agent instanceof http.Agent) {
      // client-node's agents close every connection after one request.
      agents.add(Object.assign(options.agent, { keepAlive: true }));
    }
    return options;
  };

  const send = async (method: string, path: string, options: CallOptions) => {
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const signal = AbortSignal.any([
      AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
      ...(options.signal ? [options.signal] : []),
    ]);
    // A credential plugin may hang: the deadline holds for it too.
    const signed = await beforeAbort(sign(), signal);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const outgoing = request(urlOf(server, path, options.query), {
      ...signed,
      method,
      signal,
      headers: {
        ...signed.headers,
        accept: "application/json",
        "user-agent": "microremed",
        ...(body !== undefined && {
          "content-type": options.contentType ?? "application/json",
          "content-length": Buffer.byteLength(body),
        }),
      },
    });
    outgoing.on("response", resolve).on("error", reject).end(body);
    return promise;
  };

  const attempt = async (method: string, path: string, options: CallOptions): Promise<IncomingMessage> => {
    let response = await send(method, path, options);
    if (response.statusCode === 401) {
      response.resume();
      config = await read();
      response = await send(method, path, options);
    }
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    throw refusal(cluster, method, path, status, await readBody(response));
  };

  const withRetries = async <T>(
    method: string,
    path: string,
    options: CallOptions,
    once: () => Promise<T>,
  ): Promise<T> => {
    const repeatable = options.repeatable ?? ["GET", "PUT", "DELETE"].includes(method);
    for (let tries = 0; ; tries++) {
      try {
        return await once();
      } catch (thrown) {
        options.signal?.throwIfAborted();
        const error =
          thrown instanceof AppError ? thrown : unreachable(cluster, server, method, path, thrown);
        const pause = retryDelaysMs[tries];
        const again = error.severity === "retryable" && (repeatable || neverArrived(thrown));
        if (!again || pause === undefined) throw error;
        await delay(error.retryAfterMs ?? pause, undefined, options.signal ? { signal: options.signal } : {});
      }
    }
  };

  return {
    get config() {
      return config;
    },
    server,
    call: (method, path, options = {}) =>
      withRetries(method, path, options, async () => {
        const text = await readBody(await attempt(method, path, options));
        return JSON.parse(text === "" ? "null" : text);
      }),
    async read(path) {
      try {
        return await readBody(await attempt("GET", path, {}));
      } catch (thrown) {
        if (thrown instanceof AppError && notAnswered.has(Number(thrown.details["status"]))) return undefined;
        throw thrown instanceof AppError ? thrown : unreachable(cluster, server, "GET", path, thrown);
      }
    },
    open: (method, path, options = {}) =>
      withRetries(method, path, options, () => attempt(method, path, options)),
    close: () => {
      for (const agent of agents) agent.destroy();
    },
  };
}

function urlOf(server: URL, path: string, query: CallOptions["query"] = {}): URL {
  const target = new URL(`${server.pathname.replace(/\/$/, "")}${path}`, server);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) target.searchParams.append(key, String(value));
  }
  return target;
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

function neverArrived(error: unknown): boolean {
  if (error instanceof AppError) return error.details["status"] === 429;
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
