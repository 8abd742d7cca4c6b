import { StatusError, toStatus } from "@microremed/sim-objects";
import { Rendered } from "../output/rendered.ts";
import type { ApiResponse } from "./exchange.types.ts";

/** A complete answer. */
export interface Reply {
  readonly status: number;
  /** Text and bytes are sent as they are, an object as JSON. */
  readonly body: object | string | Buffer | Rendered;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that does not read an answer in this time is cut off, so that answers do not pile up; wall clock. */
const unreadTimeoutMs = 60_000;
const worthWatchingBytes = 64 * 1024;

function cutOffUnread(response: ApiResponse): void {
  const deadline = setTimeout(() => response.destroy(), unreadTimeoutMs);
  deadline.unref();
  response.once("close", () => clearTimeout(deadline));
}

export function send(response: ApiResponse, reply: Reply): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const isText = typeof reply.body === "string";
  if (response.endWith && reply.body instanceof Rendered) {
    response.writeHead(reply.status);
    response.endWith(reply.body.value());
    return;
  }
  const body = bodyOf(reply);
  response.writeHead(reply.status, {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
    "content-length": Buffer.byteLength(body),
    ...reply.headers,
  });
  if (body.length > worthWatchingBytes) cutOffUnread(response);
  response.end(body);
}

/** The bytes or the text that a reply is sent as. */
export function bodyOf({ body }: Reply): string | Buffer {
  if (body instanceof Rendered) return body.bytes();
  return typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** Anything thrown as a failed answer; what is no StatusError is an internal error. */
export function failure(thrown: unknown): Reply {
  const error =
    thrown instanceof StatusError
      ? thrown
      : new StatusError(
          500,
          "InternalError",
          `Internal error occurred: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        );
  const retry = error.details?.retryAfterSeconds;
  return {
    status: error.code,
    body: toStatus(error),
    ...(retry !== undefined && { headers: { "retry-after": String(retry) } }),
  };
}
