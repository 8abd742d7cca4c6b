import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What the server does with one request. */
export type ScriptedReply =
  | {
      readonly kind: "body";
      readonly status?: number;
      readonly contentType?: string;
      readonly body: string;
      readonly headers?: Record<string, string>;
    }
  /** Sends the head at once and then one byte every `everyMs`, for ever. */
  | { readonly kind: "drip"; readonly everyMs: number }
  /** Accepts the request and never answers. */
  | { readonly kind: "silence" }
  /** Sends a head and a part of the body, and cuts the connection. */
  | { readonly kind: "cut"; readonly body: string; readonly contentType: string }
  /** Cuts the connection before any answer. */
  | { readonly kind: "hang-up" };

/** What the server was asked, as parsed JSON. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Record<string, unknown>;
}

/** The replies in the order of the requests, or a function of a request and its index, from 0. */
export type Script = readonly ScriptedReply[] | ((request: SeenRequest, index: number) => ScriptedReply);

/** A model's endpoint for tests. `requests` are those it got so far. Disposing it closes the server. */
export interface ScriptedServer extends AsyncDisposable {
  /** Base URL for a chat client, ends in `/v1`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
}

/** A tool call of a completion; `arguments` goes onto the wire as it is, an object or anything else too. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** A well-formed completion, for `body` replies. */
export function completion(
  message: { content?: string | null; toolCalls?: readonly ScriptedCall[] },
  options: { finishReason?: string; usage?: unknown } = {},
): ScriptedReply {
  const calls = (message.toolCalls ?? []).map((call, index) => ({
    id: call.id ?? `tool-${index}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  }));
  const choice = {
    index: 0,
    message: {
      role: "assistant",
      content: message.content ?? null,
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    finish_reason: options.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop"),
  };
  const usage =
    "usage" in options ? options.usage : { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };
  return {
    kind: "body",
    body: JSON.stringify({
      id: "c",
      object: "chat.completion",
      created: 0,
      model: "m",
      choices: [choice],
      usage,
    }),
  };
}

/** A completion as a stream of events, its texts in pieces of so many characters; any other reply as it is. */
export function streamed(reply: ScriptedReply, size: number): ScriptedReply {
  const whole = reply.kind === "body" ? parseObject(reply.body) : {};
  const [choice] = (whole["choices"] ?? []) as StreamedChoice[];
  if (!choice) return reply;
  const { content, refusal, tool_calls: calls = [] } = choice.message;
  const events = [
    delta({ role: "assistant" }),
    ...pieces(content, size).map((piece) => delta({ content: piece })),
    ...pieces(refusal, size).map((piece) => delta({ refusal: piece })),
    ...calls.flatMap(({ id, function: { name, arguments: args } }, index) => [
      delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...pieces(args, size).map((piece) =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    { choices: [{ index: 0, delta: {}, finish_reason: choice.finish_reason }] },
    ...(whole["usage"] ? [{ choices: [], usage: whole["usage"] }] : []),
  ];
  const body = [...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`);
  return { kind: "body", contentType: "text/event-stream", body: body.join("") };
}

interface StreamedChoice {
  readonly message: {
    readonly content?: string | null;
    readonly refusal?: string;
    readonly tool_calls?: StreamedCall[];
  };
  readonly finish_reason: string;
}

interface StreamedCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: unknown };
}

const delta = (fields: Record<string, unknown>) => ({
  choices: [{ index: 0, delta: fields, finish_reason: null }],
});

/** What is no text travels in one piece. */
function pieces(value: unknown, size: number): unknown[] {
  if (typeof value !== "string") return value === undefined || value === null ? [] : [value];
  const chars = [...value];
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, index) =>
    chars.slice(index * size, (index + 1) * size).join(""),
  );
}

/**
 * An OpenAI-compatible endpoint with scripted answers: with the n-th reply to the n-th request (the last one again when
 * the list ends), or with what a function returns. For tests.
 */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const seen = {
      path: request.url ?? "",
      headers: request.headers,
      body: parseObject(await text(request)),
    };
    requests.push(seen);
    await answer(response, nextReply(script, seen, requests.length - 1));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, requests, [Symbol.asyncDispose]: () => close(server) };
}

function nextReply(script: Script, seen: SeenRequest, index: number): ScriptedReply {
  if (typeof script === "function") return script(seen, index);
  return script[Math.min(index, script.length - 1)] ?? { kind: "hang-up" };
}

async function answer(response: ServerResponse, reply: ScriptedReply): Promise<void> {
  switch (reply.kind) {
    case "silence":
      return;
    case "hang-up":
      response.destroy();
      return;
    case "cut":
      response.writeHead(200, { "content-type": reply.contentType, "content-length": reply.body.length * 2 });
      response.write(reply.body, () => response.destroy());
      return;
    case "drip": {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), reply.everyMs);
      response.on("close", () => clearInterval(timer));
      return;
    }
    case "body":
      response.writeHead(reply.status ?? 200, {
        "content-type": reply.contentType ?? "application/json",
        ...reply.headers,
      });
      response.end(reply.body);
  }
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json || "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
