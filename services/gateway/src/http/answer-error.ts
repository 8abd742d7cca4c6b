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

/** What is said of an error: the caller's own mistakes in full, defects of ours without their details. */
export type SaidError = z.output<typeof ErrorBody>["error"];

/** An error's answer as a protocol has it. */
interface ErrorForm {
  readonly status: number;
  readonly body: object;
}

/** Answers with an error. `form`: as the route's protocol has it. */
export function answerError(
  thrown: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Logger,
  form: (error: SaidError, status: number) => ErrorForm = (error, status) => ({ status, body: { error } }),
): void {
  const error = errorFrom(thrown, request);
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
  const answer = form(saidOf(error, status), status);
  // Written by hand: a route's own schemas are of its own answers.
  reply
    .code(answer.status)
    .type(jsonType)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(answer.body);
}

function saidOf({ code, message, details }: AppError, status: number): SaidError {
  if (status === 500) return { code: "internal", message: "the range could not do this; its log says why" };
  const { issues } = details;
  return {
    code,
    message: message.slice(0, longestMessage),
    ...(Array.isArray(issues) && {
      issues: ErrorBody.shape.error.shape.issues.catch(undefined).parse(issues),
    }),
  };
}
