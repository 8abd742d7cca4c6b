import type { AppError, Logger } from "@microremed/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { errorFrom, statusOf } from "./status-of.ts";

/** What every route answers where something is wrong. */
export const ErrorBody = z
  .strictObject({
    error: z.strictObject({
      code: z.string().describe("as in the reference of error codes"),
      message: z.string(),
      issues: z
        .array(z.strictObject({ path: z.string(), message: z.string() }))
        .max(101)
        .optional()
        .describe("every wrong field of the request; absent: it is not about fields"),
    }),
  })
  .meta({ id: "Error" });

/** Of the body of every error. */
export const jsonType = "application/json; charset=utf-8";

const longestMessage = 8_192;

/** Answers with an error: the caller's own mistakes in full, defects of ours without their details. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
): void {
  const error = errorFrom(thrown);
  const status = Number(error.details["status"] ?? statusOf(error));
  const { token_id } = error.details;
  Object.assign(request.noted ?? {}, { error_code: error.code, ...(token_id !== undefined && { token_id }) });
  if (status >= 500) {
    const { stack } = error.cause instanceof Error ? error.cause : error;
    log.warn(
      {
        route: request.routeOptions.url,
        error_code: error.code,
        error_message: error.message.slice(0, 2_000),
        ...(status === 500 && { error_stack: stack?.slice(0, 2_000) }),
      },
      "a request failed",
    );
  }
  if (status === 401) reply.header("www-authenticate", "Bearer");
  if (error.severity === "retryable")
    reply.header("retry-after", String(Math.ceil((error.retryAfterMs ?? 1_000) / 1000)));
  // Written by hand: a route's own schemas are of its own answers.
  reply
    .code(status)
    .type(jsonType)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(bodyOf(error, status));
}

function bodyOf({ code, message, details }: AppError, status: number): z.output<typeof ErrorBody> {
  if (status === 500)
    return { error: { code: "internal", message: "the range could not do this; its log says why" } };
  const { issues } = details;
  return {
    error: {
      code,
      message: message.slice(0, longestMessage),
      ...(Array.isArray(issues) && {
        issues: ErrorBody.shape.error.shape.issues.catch(undefined).parse(issues),
      }),
    },
  };
}
