import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { AppError, retryable, terminal } from "@microremed/core";
import type { Access } from "./kubeconfig.ts";

/** Wall clock: the API server answers at once, whatever the cluster's time does. */
const defaultTimeoutMs = 30_000;
const maxBodyBytes = 64 * 2 ** 20;
const retryDelaysMs = [100, 300, 900];

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

/** HTTP to one API server: deadlines, credentials, retries of what is safe, errors in the product's words. */
export interface Transport {
  readonly access: Access;
  /** JSON answer of a 2xx. Throws `cluster-unreachable` (retryable) or `cluster-refused` (terminal, details.status). */
  call<T>(method: string, path: string, options?: CallOptions): Promise<T>;
  /** Opens a response whose body goes on; the caller must destroy it. */
  open(method: string, path: string, options?: CallOptions): Promise<IncomingMessage>;
  url(path: string, query?: CallOptions["query"]): URL;
  /** Closes the kept-alive connections. */
  close(): void;
}

export function createTransport(cluster: string, access: Access): Transport {
  const secure = access.server.protocol === "https:";
  const agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  const prefix = access.server.pathname.replace(/\/$/, "");

  const url = (path: string, query: CallOptions["query"] = {}): URL => {
    const target = new URL(`${prefix}${path}`, access.server);
    for (const [key, value] of Object.entries(query)) {
      if (value !== undefined) target.searchParams.append(key, String(value));
    }
    return target;
  };

  const send = async (method: string, path: string, options: CallOptions, renew: boolean) => {
    const { tls, authorization } = await access.credentials(renew);
    const body = options.body === undefined ? undefined : JSON.stringify(options.body);
    const signal = AbortSignal.any([
      AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs),
      ...(options.signal ? [options.signal] : []),
    ]);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = (secure ? https : http).request(
      url(path, options.query),
      {
        method,
        agent,
        signal,
        ...tls,
        headers: {
          accept: "application/json",
          "user-agent": "microremed",
          ...(authorization !== undefined && { authorization }),
          ...(body !== undefined && {
            "content-type": options.contentType ?? "application/json",
            "content-length": Buffer.byteLength(body),
          }),
        },
      },
      resolve,
    );
    request.on("error", reject);
    request.end(body);
    return promise;
  };

  const attempt = async (method: string, path: string, options: CallOptions): Promise<IncomingMessage> => {
    let response = await send(method, path, options, false);
    if (response.statusCode === 401) {
      response.resume();
      response = await send(method, path, options, true);
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
          thrown instanceof AppError ? thrown : unreachable(cluster, access.server, method, path, thrown);
        const pause = retryDelaysMs[tries];
        const again = error.severity === "retryable" && (repeatable || neverArrived(thrown));
        if (!again || pause === undefined) throw error;
        await delay(error.retryAfterMs ?? pause, undefined, options.signal ? { signal: options.signal } : {});
      }
    }
  };

  return {
    access,
    url,
    call: (method, path, options = {}) =>
      withRetries(method, path, options, async () => {
        const text = await readBody(await attempt(method, path, options));
        return JSON.parse(text === "" ? "null" : text);
      }),
    open: (method, path, options = {}) =>
      withRetries(method, path, options, () => attempt(method, path, options)),
    close: () => agent.destroy(),
  };
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

/** An answer that is an error, as AppError: overload and internal errors may pass, the rest stays. */
export function refusal(
  cluster: string,
  method: string,
  path: string,
  status: number,
  body: string,
): AppError {
  let message = body.slice(0, 500);
  let reason = "";
  try {
    const parsed = JSON.parse(body) as { message?: unknown; reason?: unknown };
    if (typeof parsed.message === "string") message = parsed.message;
    if (typeof parsed.reason === "string") reason = parsed.reason;
  } catch {
    // Not a Status object: the body's beginning is all there is to say.
  }
  const text = `cluster ${cluster} answered ${method} ${path} with ${status}: ${message}`;
  const details = { cluster, status, reason };
  return status === 429 || status >= 500
    ? retryable("cluster-unreachable", text, details)
    : terminal("cluster-refused", text, details);
}

function unreachable(cluster: string, server: URL, method: string, path: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message || cause.name : String(cause);
  return retryable(
    "cluster-unreachable",
    `cluster ${cluster} at ${server.origin} did not answer ${method} ${path}: ${why}; is it running, and does its kubeconfig point to it?`,
    { cluster },
    cause,
  );
}

function neverArrived(error: unknown): boolean {
  if (error instanceof AppError) return error.details["status"] === 429;
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

/** Whether the API server refused with this HTTP status. */
export function isRefused(error: unknown, status: number): boolean {
  return error instanceof AppError && error.code === "cluster-refused" && error.details["status"] === status;
}
