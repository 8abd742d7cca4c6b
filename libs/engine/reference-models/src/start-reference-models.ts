import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseJson } from "@microremed/core";
import { referenceNames } from "@microremed/llm/reference-names";
import { z } from "zod";
import { ChatCompletionRequest } from "./chat-request.ts";
import { complete } from "./complete.ts";

const maxBodyBytes = 16 * 2 ** 20;

export interface ReferenceModels extends AsyncDisposable {
  /** Base URL for an OpenAI-compatible client, ends in `/v1`. */
  readonly url: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Serves the rule-based policies under `/v1/chat/completions` and `/v1/models`. `port` 0 takes any free one. */
export async function startReferenceModels({ host = "127.0.0.1", port = 0 } = {}): Promise<ReferenceModels> {
  const server = createServer(async (request, response) => {
    try {
      const { status, body } = await answer(request);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
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

async function answer(request: IncomingMessage): Promise<Answer> {
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  if (path === "/v1/models") return { status: 200, body: modelList() };
  if (path !== "/v1/chat/completions") return failure(404, `there is nothing at ${path}`);
  if (request.method !== "POST") return failure(405, `${request.method} is not allowed here, POST is`);
  const body = await readBody(request);
  if (body === undefined) return failure(413, `the request is larger than ${maxBodyBytes} bytes`);
  return answerChat(body);
}

function answerChat(body: string): Answer {
  const json = parseJson(body);
  if (json === undefined) return failure(400, "the body is no JSON");
  const parsed = ChatCompletionRequest.safeParse(json);
  if (parsed.success) return { status: 200, body: complete(parsed.data, Math.floor(Date.now() / 1000)) };
  const wrongModel = parsed.error.issues.every((issue) => issue.path[0] === "model");
  return failure(wrongModel ? 404 : 400, z.prettifyError(parsed.error));
}

function failure(status: number, message: string): Answer {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return { status, body: { error } };
}

function modelList() {
  const data = referenceNames.map((id) => ({ id, object: "model", created: 0, owned_by: "rule-based" }));
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
