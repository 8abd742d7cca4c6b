import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@microremed/contracts";
import { jsonType } from "./answer-error.ts";

/** What cannot be read as a request is answered before there is one: by the code of Node's error. */
const unread: Readonly<Record<string, readonly [number, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "the request did not arrive in time"],
  HPE_HEADER_OVERFLOW: [431, "the head of the request is too large"],
};
const other = [400, "this is no HTTP request"] as const;

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

/** Answers what is no request, with the body that every error has, and closes its connection. */
export function answerUnread(thrown: Error & { readonly code?: string }, socket: Socket): void {
  if (thrown.code === "ECONNRESET" || socket.destroyed) return;
  const [status, message] = unread[thrown.code ?? ""] ?? other;
  const body = bodyOf("invalid-request", message);
  const head = [
    `HTTP/1.1 ${status} ${reasons[status]}`,
    `content-type: ${jsonType}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  if (socket.writable) socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** Node answers what a client expects, other than 100-continue, without a body. */
export function refuseExpectations(server: Pick<Server, "on">): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) =>
    response
      .writeHead(417, { "content-type": jsonType, connection: "close" })
      .end(bodyOf("invalid-request", "only `Expect: 100-continue` is answered; leave the header out")),
  );
}

const bodyOf = (code: ErrorCode, message: string): string => JSON.stringify({ error: { code, message } });
