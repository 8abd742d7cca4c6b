import type { AddressInfo } from "node:net";
import websocket from "@fastify/websocket";
import { AppError, type Logger, silentLogger, terminal } from "@microremed/core";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { openPlaybookSandbox } from "../episode/real-playbooks.ts";
import { wrongFields } from "../episode/wrong-fields.ts";
import { type Access, checkAccess, scopeOf } from "./access.ts";
import { answerRpc, createMcpServer, isOpenEnvMessage } from "./mcp.ts";
import { createMcpSessions, type McpSessions } from "./mcp-sessions.ts";
import { play } from "./play.ts";
import { CasesRequest, ForkRequest, metadata, StepRequest, schemas } from "./protocol.ts";
import { serveSocket } from "./serve-socket.ts";
import { createSessions, type SessionLimits, type Sessions } from "./sessions.ts";
import { startWorkers } from "./start-workers.ts";
import type { WorkerOrder } from "./worker-messages.types.ts";

export { type PlaybooksName, playbooksNames } from "./worker-messages.types.ts";

/** What a gym's server is made of. */
export interface ServeOptions extends Access, SessionLimits {
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Threads, each with clusters of its own. */
  readonly workers: number;
  readonly order: WorkerOrder;
  readonly log?: Logger;
}

/** A gym that is served. Disposing it ends its threads, and with them all episodes. */
export interface ServedGym extends AsyncDisposable {
  readonly url: string;
}

/** Bytes of a request or a message: the longest playbook with every character escaped, and as much again. */
const mostBytes = 1_048_576;
/** How often unused episodes are searched for, ms. */
const sweepMs = 1_000;
const mcpHeader = "mcp-session-id";

/**
 * Serves OpenEnv's protocol over HTTP and WebSockets, and MCP. Throws `invalid-config` where it could not protect the truth, and
 * `missing-tool` where playbooks cannot be confined.
 */
export async function serveGym(options: ServeOptions): Promise<ServedGym> {
  const { host, port, log = silentLogger } = options;
  checkAccess(host, options);
  // Says what this machine lacks before any thread starts.
  if (options.order.playbooks === "ansible") await openPlaybookSandbox(log);
  await using started = new AsyncDisposableStack();
  const workers = started.use(startWorkers(options.workers, options.order, log));
  const sessions = createSessions(workers.all, options);
  const mcp = createMcpSessions(sessions, options);
  const app = Fastify({
    logger: false,
    bodyLimit: mostBytes,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: true,
  });
  await app.register(websocket, { options: { maxPayload: mostBytes } });
  app.setErrorHandler((thrown, _, reply) => answerError(thrown, reply, log));
  app.setNotFoundHandler((request, reply) =>
    answerError(
      terminal(
        "invalid-request",
        `there is no ${request.method} ${request.url.slice(0, 200)}; there are ${routes}`,
        { status: 404 },
      ),
      reply,
      log,
    ),
  );
  addInformation(app, sessions);
  addEpisodes(app, sessions, options);
  addSockets(app, sessions, { ...options, log });
  addMcp(app, sessions, mcp, options);
  started.defer(() => app.close());
  const sweeper = setInterval(() => {
    for (const swept of [sessions.sweep(), mcp.sweep()])
      swept.catch((thrown: unknown) => log.warn({ error: String(thrown) }, "idle episodes were not closed"));
  }, sweepMs);
  started.defer(() => clearInterval(sweeper));
  await app.listen({ host, port });
  const { address, port: taken, family } = app.server.address() as AddressInfo;
  const owned = started.move();
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const routes =
  "POST /reset, /step, /fork, /mcp; GET /state, /cases, /schema, /metadata, /health; WebSocket /ws";

/** What may be known without a token. */
function addInformation(app: FastifyInstance, sessions: Sessions): void {
  app.get("/health", () => {
    const { active, most } = sessions.capacity;
    return { status: "healthy", active_sessions: active, max_sessions: most };
  });
  app.get("/metadata", () => metadata);
  app.get("/schema", () => schemas);
}

function addEpisodes(app: FastifyInstance, sessions: Sessions, access: Access): void {
  app.post("/reset", async ({ body, headers }) => {
    scopeOf(headers.authorization, access);
    return sessions.reset(body ?? {});
  });
  app.post("/step", async ({ body, headers }) => {
    scopeOf(headers.authorization, access);
    const { data, error } = StepRequest.safeParse(body);
    if (error) throw wrongFields("step", error.issues);
    return play(sessions, data.episode_id, data.action, data.timeout_s);
  });
  app.post("/fork", async ({ body, headers }) => {
    scopeOf(headers.authorization, access);
    const { data, error } = ForkRequest.safeParse(body);
    if (error) throw wrongFields("fork", error.issues);
    return { forks: await sessions.fork(data.episode_id, data.n) };
  });
  app.get("/state", async ({ query, headers }) => {
    const scope = scopeOf(headers.authorization, access);
    const id = (query as Readonly<Record<string, unknown>>)["episode_id"];
    if (id === undefined) return { episode_id: null, step_count: 0, done: false };
    if (scope === "trainer") return sessions.state(String(id));
    const { observation, done } = await sessions.current(String(id));
    return { episode_id: observation.episode_id, step_count: observation.step_count, done };
  });
  app.get("/cases", async ({ query, headers }) => {
    scopeOf(headers.authorization, access);
    const { data, error } = CasesRequest.safeParse(query);
    if (error) throw wrongFields("cases", error.issues);
    return { suite: data.suite, cases: await sessions.cases(data.suite) };
  });
  app.delete("/episodes/:id", async ({ params, headers }) => {
    scopeOf(headers.authorization, access);
    await sessions.close(String((params as Readonly<Record<string, unknown>>)["id"]));
    return { closed: true };
  });
}

function addSockets(
  app: FastifyInstance,
  sessions: Sessions,
  { log, most, ...access }: Access & { readonly log: Logger; readonly most: number },
): void {
  let open = 0;
  app.register(async (scope) => {
    scope.get(
      "/ws",
      { websocket: true, preValidation: async ({ headers }) => void scopeOf(headers.authorization, access) },
      (socket, { headers }) => {
        if (open >= most) {
          const message = `${open} of ${most} connections are open: close some, or start the gym with more --sessions`;
          socket.send(
            JSON.stringify({
              type: "error",
              data: { message, code: "CAPACITY_REACHED", active_sessions: open, max_sessions: most },
            }),
          );
          socket.close(1013);
          return;
        }
        open++;
        socket.on("close", () => open--);
        serveSocket(socket, {
          sessions,
          log,
          isTrainer: scopeOf(headers.authorization, access) === "trainer",
        });
      },
    );
  });
}

function addMcp(app: FastifyInstance, sessions: Sessions, kept: McpSessions, access: Access): void {
  app.post("/mcp", async (request, reply) => {
    scopeOf(request.headers.authorization, access);
    const { body: message } = request;
    if (Array.isArray(message))
      throw terminal("invalid-request", "a batch of messages is not taken; send one message in each request");
    if (isOpenEnvMessage(message)) return answerRpc(sessions, kept, message);
    const isFirst = (message as { method?: unknown } | undefined)?.method === "initialize";
    const id = isFirst ? kept.create() : String(request.headers[mcpHeader] ?? "");
    const session = kept.get(id);
    if (!session)
      throw terminal(
        "unknown-session",
        `there is no MCP session ${id.slice(0, 100)}: it was ended or has expired; initialize begins one`,
        { status: 404 },
      );
    const server = createMcpServer(sessions, session);
    const transport = new WebStandardStreamableHTTPServerTransport({
      ...(isFirst && { sessionIdGenerator: () => id }),
      enableJsonResponse: true,
    });
    await server.connect(transport);
    reply.raw.on("close", () => void server.close().catch(() => undefined));
    return reply.send(await transport.handleRequest(webRequest(request), { parsedBody: message }));
  });
  app.delete("/mcp", async ({ headers }) => {
    scopeOf(headers.authorization, access);
    await kept.end(String(headers[mcpHeader] ?? ""));
    return { closed: true };
  });
}

/** As the SDK takes it; the body has been read. */
function webRequest({ headers, method }: Pick<FastifyRequest, "headers" | "method">): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(", ")]],
  );
  return new Request("http://gym/mcp", { method, headers: pairs });
}

/** FastAPI's `detail`, as clients of OpenEnv expect it, and our code. */
function answerError(thrown: unknown, reply: FastifyReply, log: Logger): void {
  const error = errorFrom(thrown);
  const { code, message, details } = error;
  const status = Number(details["status"] ?? statuses[code] ?? 500);
  if (status === 500)
    log.warn({ error_message: message, error_stack: error.stack }, "a request of the gym failed");
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (error.severity === "retryable")
    reply.header("retry-after", String(Math.ceil((error.retryAfterMs ?? 1_000) / 1000)));
  const { issues } = details;
  reply.code(status).send({ detail: message, code, ...(issues !== undefined && { issues }) });
}

/** Fastify's own errors are those of a caller: a body that is too large or no JSON. */
function errorFrom(thrown: unknown): AppError {
  const status = Number((thrown as { statusCode?: unknown } | null)?.statusCode);
  if (!(thrown instanceof AppError) && status >= 400 && status < 500)
    return terminal("invalid-request", String((thrown as Error).message), { status });
  return AppError.from(thrown);
}

const statuses: Readonly<Record<string, number>> = {
  "too-many-requests": 503,
  "unknown-session": 404,
  "deadline-exceeded": 504,
  "invalid-request": 422,
  "unknown-entry": 422,
  "unknown-problem": 422,
  "unknown-failure": 422,
  "unknown-environment": 422,
};
