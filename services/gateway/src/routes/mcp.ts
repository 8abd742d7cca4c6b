import { SessionId } from "@microremed/contracts";
import { terminal } from "@microremed/core";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../http/app.types.ts";
import { whenGone } from "../http/when-gone.ts";
import { answerMcpError } from "../mcp/answer-mcp-error.ts";
import { createMcpServer } from "../mcp/create-mcp-server.ts";
import type { McpDeps } from "../mcp/mcp-deps.ts";
import { assertConsistent, McpQuery, sessionHeader, sessionOfFirst } from "../mcp/mcp-query.ts";
import { closeSession } from "../sessions/close-session.ts";
import { findSession } from "../sessions/find-session.ts";
import { ownerOnly, tokenIn } from "./sessions.ts";

const tags = ["mcp"];
const config = { access: ["agent", "researcher", "admin"] } as const;

/** A session over the Model Context Protocol, streamable HTTP. Nothing of it is kept between two requests. */
export function addMcp(app: App, deps: McpDeps): void {
  app.setErrorHandler((thrown, request, reply) => answerMcpError(thrown, request, reply, deps.log));
  app.route({
    config,
    method: "POST",
    url: "/mcp",
    schema: {
      ...{ tags, summary: "Model Context Protocol (streamable HTTP)" },
      description:
        "The address says which problems the client gets, e.g. `/mcp?suite=easy@1`. A session is opened when the client connects; its tools, the problem and telemetry are MCP's tools, prompt and resources.",
      querystring: McpQuery,
      body: z.unknown().describe("a JSON-RPC message of MCP"),
      response: {
        200: {
          description: "Answers, as events or as JSON",
          content: {
            "text/event-stream": { schema: z.unknown() },
            "application/json": { schema: z.unknown() },
          },
        },
      },
    },
    handler: async (request, reply) => {
      const token = tokenIn(request);
      const tokenId = ownerOnly(token);
      const { query, body: message } = request;
      assertOne(message);
      assertConsistent(query, headerOf(request));
      const opened = await sessionOfFirst(deps, { token, tokenId, query, message });
      const sessionId = opened ?? sessionIn(request);
      request.noted["session"] = sessionId;
      // As MCP has it, 404 sends a client back to its beginning.
      if (opened === undefined) await findSession(deps, sessionId, tokenId);
      const signal = whenGone(reply);
      const server = createMcpServer(deps, {
        ...{ sessionId, worker: query.worker, meant: query.turn, tokenId, signal },
      });
      const transport = new WebStandardStreamableHTTPServerTransport({
        ...(opened !== undefined && { sessionIdGenerator: () => opened }),
      });
      await server.connect(transport);
      signal.addEventListener("abort", () => void server.close().catch(() => undefined));
      return send(reply, await transport.handleRequest(webRequest(request), { parsedBody: message }));
    },
  });

  app.route({
    config,
    method: "DELETE",
    url: "/mcp",
    schema: {
      ...{ tags, summary: "End a client's session" },
      description: "One that it has not opened itself (`?session=`) stays open.",
      querystring: McpQuery,
      response: { 200: z.strictObject({ id: SessionId }) },
    },
    handler: async (request) => {
      assertConsistent(request.query, headerOf(request));
      const { session } = await findSession(deps, sessionIn(request), ownerOnly(tokenIn(request)));
      if (request.query.session === undefined) await closeSession(deps, session);
      return { id: session.id };
    },
  });

  app.route({
    config,
    method: "GET",
    url: "/mcp",
    schema: { hide: true },
    handler: async () => {
      throw terminal(
        "invalid-request",
        "there is no stream without a request; answers come where they are asked for",
        {
          status: 405,
        },
      );
    },
  });
}

const headerOf = ({ headers }: Pick<FastifyRequest, "headers">): string | undefined =>
  headers[sessionHeader]?.toString();

/** Throws `unknown-session`: as MCP has it, a client without one, or with one that is closed, begins again. */
function sessionIn(request: Pick<FastifyRequest, "headers">): string {
  const found = SessionId.safeParse(headerOf(request));
  if (found.success) return found.data;
  throw terminal(
    "invalid-request",
    `the message has no ${sessionHeader}: an MCP client sends what it got as the answer to initialize`,
  );
}

/** A batch would be many calls for one request of the token's; MCP has none since 2025-06-18. */
function assertOne(message: unknown): void {
  if (Array.isArray(message))
    throw terminal("invalid-request", "a batch of messages is not taken; send one message in each request");
}

/** As the SDK takes it; the body has been read. */
function webRequest({ headers, method }: Pick<FastifyRequest, "headers" | "method">): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(", ")]],
  );
  return new Request("http://gateway/mcp", { method, headers: pairs });
}

function send(reply: FastifyReply, response: Response): FastifyReply {
  return reply.serializer((body: unknown) => body as string).send(response);
}
