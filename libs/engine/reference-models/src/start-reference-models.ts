import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { referenceNames } from "@microremed/llm/reference-names";
import { type Answer, answerChat, failure } from "./answer-chat.ts";
import { kindOf } from "./complete.ts";
import type { Library } from "./policy.ts";

const maxBodyBytes = 16 * 2 ** 20;

/** The running HTTP server. Disposing it closes the server. */
export interface ReferenceModels extends AsyncDisposable {
  /** Base URL for an OpenAI-compatible client, ends in `/v1`. */
  readonly url: string;
}

/** Where the server listens, and what it knows. */
export interface ReferenceModelsOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** The faults whose runbooks they know. */
  readonly faults: Library;
}

/** Serves the reference models under `/v1/chat/completions` and `/v1/models`. */
export async function startReferenceModels({
  host = "127.0.0.1",
  port = 0,
  faults,
}: ReferenceModelsOptions): Promise<ReferenceModels> {
  const server = createServer(async (request, response) => {
    try {
      const { status, body, events } = await answer(request, faults);
      const type = events === undefined ? "application/json" : "text/event-stream";
      response.writeHead(status, { "content-type": type }).end(events ?? JSON.stringify(body));
    } catch {
      // The client went away in the middle of its request.
      response.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return { url: `http://${shownHost}:${address.port}/v1`, [Symbol.asyncDispose]: () => close(server) };
}

async function answer(request: IncomingMessage, library: Library): Promise<Answer> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  if (path === "/v1/models") return { status: 200, body: modelList() };
  if (path !== "/v1/chat/completions") return failure(404, `there is nothing at ${path}`);
  if (request.method !== "POST") return failure(405, `${request.method} is not allowed here, POST is`);
  const body = await readBody(request);
  if (body === undefined) return failure(413, `the request is larger than ${maxBodyBytes} bytes`);
  return answerChat(body, library);
}

function modelList() {
  const data = referenceNames.map((id) => ({ id, object: "model", created: 0, owned_by: kindOf(id) }));
  return { object: "list", data };
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    // What is too much is read to its end, but not kept, so that the client gets to read the answer.
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size <= maxBodyBytes ? Buffer.concat(chunks).toString("utf8") : undefined;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
