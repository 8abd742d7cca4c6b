import type { Logger } from "@microremed/core";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { answerError } from "../http/answer-error.ts";

const AnyRequest = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(200), z.number()]),
  method: z.string(),
});

/** What MCP has a status for: a client without a token, and one whose session is gone and that begins again. */
const ofHttp: readonly number[] = [401, 404, 405];

/**
 * Answers what goes wrong before a message comes to its server as a JSON-RPC error, which clients show with its words. A client's first
 * message is answered with 200: of another status many clients say nothing but the number.
 */
export function answerMcpError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): void {
  const asked = AnyRequest.safeParse(request.body).data;
  answerError(thrown, request, reply, log, ({ message, ...data }, status) => ({
    status: asked?.method === "initialize" && !ofHttp.includes(status) ? 200 : status,
    body: {
      jsonrpc: "2.0",
      id: asked?.id ?? null,
      error: { code: status >= 500 ? ErrorCode.InternalError : ErrorCode.InvalidRequest, message, data },
    },
  }));
}
