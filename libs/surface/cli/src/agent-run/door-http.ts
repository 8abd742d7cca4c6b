import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a program may take to send a body, ms. */
const bodyMs = 60_000;

/** The body of a request as text; undefined: it has more bytes than it may, and the connection is of no more use. */
export async function readBody(request: IncomingMessage, mostBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  const slow = setTimeout(() => request.destroy(new Error("the body took too long")), bodyMs);
  try {
    for await (const part of request) {
      size += part.length;
      if (size > mostBytes) return undefined;
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  } finally {
    clearTimeout(slow);
  }
}

/** Answers with an error as the gateway and providers have it. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ error: { code: "invalid-request", type: "invalid_request_error", message } });
  response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body);
}

/** Answers with JSON. */
export function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
