import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createSocketServer } from "node:net";
import { type Duplex, finished } from "node:stream";
import { type ApiAccess, connectToApi } from "./api-access.ts";
import { type Relay, type RelayOptions, relayFrom } from "./api-relay.ts";

/** One request to an API server, as it would be sent. */
export interface ApiRequest {
  readonly method: string;
  /** Without the query. It has no escapes, no empty segments and no `.` or `..`: it means what it says. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Whether the connection would carry a stream afterwards. */
  readonly upgrades: boolean;
}

/** Says why a request may not be sent; undefined: it may. */
export type ReviewRequest = (request: ApiRequest) => Promise<string | undefined>;

/** What a gate is given. */
export interface GateOptions extends Pick<RelayOptions, "onUnreachable"> {
  readonly review: ReviewRequest;
  /** What every path must begin with, and what is taken off it: `/secret`. */
  readonly prefix?: string;
}

/** Of the first line and the headers of a request, bytes: a command of 16,384 characters is three times as long in a query. */
const maxHead = 128 * 1024;
/** Of what a request that is no stream brings along, bytes. The reviews of rights that kubectl asks for have some hundred. */
const maxBody = 64 * 1024;
/** Of a refusal to open a stream, bytes. */
const maxRefusal = 64 * 1024;

/** All that is passed on of a request's headers; a client's credentials, or another name for it, are not. */
const passedOn = [
  "accept",
  "accept-encoding",
  "content-type",
  "if-none-match",
  "sec-websocket-key",
  "sec-websocket-protocol",
  "sec-websocket-version",
  "user-agent",
  "x-stream-protocol-version",
];

/**
 * Reads every request of the connections that it is given, has it reviewed, and sends it to the API server with the token of
 * the access: TLS and credentials begin here. A refused request gets the status 403 with the reason. What is sent is put
 * together from what was reviewed, so that no server can read it in another way.
 */
export function createGate(access: ApiAccess, options: GateOptions): Relay {
  const giveUp = new AbortController();
  const agent = agentOf(access, options, giveUp.signal);
  const open = new Set<Duplex>();
  const server = createServer({ maxHeaderSize: maxHead });
  const gate = { access, agent, options };
  server.on("request", (request, response) => {
    answer(gate, request, response).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket) => {
    stream(gate, request, socket).catch(() => socket.destroy());
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  return {
    accept(inside) {
      open.add(inside);
      inside.on("error", () => {}).once("close", () => open.delete(inside));
      server.emit("connection", inside);
    },
    [Symbol.dispose]() {
      giveUp.abort();
      for (const connection of open) connection.destroy();
      agent.destroy();
      server.close();
    },
  };
}

/**
 * A gate at a port of this machine's loopback, for a run that shares its network: every other program there can reach it too,
 * so `options.prefix` must be a secret.
 */
export async function listenAtGate(
  access: ApiAccess,
  options: GateOptions,
): Promise<Disposable & { readonly port: number }> {
  const server = createSocketServer();
  const serving = relayFrom(server, createGate(access, options));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen({ host: "127.0.0.1", port: 0 }, resolve);
  await promise;
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, [Symbol.dispose]: () => serving[Symbol.dispose]() };
}

interface Gate {
  readonly access: ApiAccess;
  readonly agent: Agent;
  readonly options: GateOptions;
}

function agentOf(access: ApiAccess, { onUnreachable }: GateOptions, signal: AbortSignal): Agent {
  const agent = new Agent({ keepAlive: true });
  agent.createConnection = (_options, done) => {
    connectToApi(access, signal).then(
      (socket) => done?.(null, socket),
      (error: Error) => {
        if (!signal.aborted) onUnreachable?.(`${access.endpoint.host}: ${error.message}`);
        done?.(error, null as never);
      },
    );
    return undefined;
  };
  return agent;
}

const plainPath = /^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~:@!$&'()*+,=-]+)+\/?$/;

/** A request as it is reviewed; undefined: it cannot be read in one way alone. */
function readRequest(
  { method = "", url = "" }: IncomingMessage,
  upgrades: boolean,
  prefix = "",
): ApiRequest | undefined {
  if (!url.startsWith(`${prefix}/`)) return undefined;
  const [path = "", ...rest] = url.slice(prefix.length).split("?");
  if (!plainPath.test(path) && path !== "/") return undefined;
  return { method, path, query: new URLSearchParams(rest.join("?")), upgrades };
}

type Reviewed = { readonly read: ApiRequest } | { readonly refused: string };

async function reviewed({ options }: Gate, request: IncomingMessage, upgrades: boolean): Promise<Reviewed> {
  const read = readRequest(request, upgrades, options.prefix);
  if (!read) return { refused: "this address cannot be read: write it without escapes" };
  const refused = await options.review(read);
  return refused === undefined ? { read } : { refused };
}

async function answer(gate: Gate, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const review = await reviewed(gate, request, false);
  if ("refused" in review) {
    const body = statusOf(review.refused);
    response.writeHead(403, { "content-type": "application/json", connection: "close" }).end(body);
    return;
  }
  const body = await bodyOf(request);
  const sent = send(gate, review.read, headersOf(request, gate.access));
  // More than one comes when a run ends meanwhile: of the request, and of its encrypted connection.
  sent.on("error", () => response.destroy());
  sent.once("response", (answered) => {
    answered.on("error", () => response.destroy());
    const { connection: _connection, "keep-alive": _kept, ...headers } = answered.headers;
    response.writeHead(answered.statusCode ?? 502, headers);
    // A watch may have nothing to say for long.
    response.flushHeaders();
    answered.pipe(response);
  });
  finished(response, () => sent.destroy());
  if (body.length > 0) sent.setHeader("content-length", body.length);
  sent.end(body);
}

/** Throws when it is too large: then its connection ends. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > maxBody) throw new RangeError("the body of a request is too large");
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function stream(gate: Gate, request: IncomingMessage, inside: Duplex): Promise<void> {
  inside.on("error", () => {});
  const review = await reviewed(gate, request, true);
  if ("refused" in review) {
    inside.end(rawAnswer(403, { "content-type": "application/json" }, statusOf(review.refused)));
    return;
  }
  const upgrade = { connection: "Upgrade", upgrade: request.headers.upgrade };
  const sent = send(gate, review.read, { ...headersOf(request, gate.access), ...upgrade });
  inside.once("close", () => sent.destroy());
  sent.on("error", () => inside.destroy());
  sent.once("upgrade", (answered, outside, head) => {
    outside.on("error", () => {}).once("close", () => inside.end());
    inside.once("close", () => outside.destroy());
    const lines = Object.entries(answered.headers).map(([name, value]) => `${name}: ${value}`);
    inside.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("\r\n")}\r\n\r\n`);
    if (head.length > 0) inside.write(head);
    inside.pipe(outside).pipe(inside);
  });
  sent.once("response", (answered) => {
    passRefusal(answered, inside).catch(() => inside.destroy());
  });
  sent.end();
}

/** The API server opens no stream: what it says instead. */
async function passRefusal(answered: IncomingMessage, inside: Duplex): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answered) {
    parts.push(part);
    size += part.length;
    if (size > maxRefusal) break;
  }
  const type = answered.headers["content-type"] ?? "application/json";
  inside.end(rawAnswer(answered.statusCode ?? 502, { "content-type": type }, Buffer.concat(parts)));
}

function send({ access, agent }: Gate, { method, path, query }: ApiRequest, headers: OutgoingHttpHeaders) {
  const search = query.size > 0 ? `?${query}` : "";
  return requestHttp({ agent, method, path: `${access.basePath}${path}${search}`, headers });
}

function headersOf({ headers }: IncomingMessage, { endpoint, token }: ApiAccess): OutgoingHttpHeaders {
  const kept = passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return {
    ...Object.fromEntries(kept),
    host: `${endpoint.host}:${endpoint.port}`,
    authorization: `Bearer ${token}`,
  };
}

function rawAnswer(status: number, headers: Readonly<Record<string, string>>, body: string | Buffer): Buffer {
  const content = Buffer.from(body);
  const all = { ...headers, "content-length": String(content.length), connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), content]);
}

/** As API servers say that something is not allowed. */
function statusOf(message: string): string {
  const of = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" };
  return JSON.stringify({ ...of, message, reason: "Forbidden", code: 403 });
}
