import type { ErrorCode } from "@microremed/contracts";
import { AppError, retryable, terminal } from "@microremed/core";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";

/** Statuses of errors that are the caller's, by their codes. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  unauthorized: 401,
  forbidden: 403,
  "too-many-requests": 429,
  "invalid-request": 400,
  "invalid-message": 400,
  "unknown-experiment": 404,
  "unknown-problem": 404,
  "unknown-entry": 404,
  "unknown-environment": 404,
  "unknown-session": 404,
  "turn-over": 409,
  "version-conflict": 409,
  "bus-unreachable": 503,
  "state-unreachable": 503,
  "deadline-exceeded": 503,
};

/** The HTTP status of an error; 500 for those of the machinery. */
export function statusOf({ code }: Pick<AppError, "code">): number {
  return statuses[code as ErrorCode] ?? 500;
}

/** Anything that a route or the HTTP server throws, as an error of ours. */
export function errorFrom(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown))
    return wrongFields(thrown.validation, thrown.validationContext);
  const { statusCode, message } = thrown as { readonly statusCode?: number; readonly message?: string };
  if (statusCode === 429 || statusCode === 503) return retryable("too-many-requests", message ?? "busy");
  if (statusCode !== undefined && statusCode < 500)
    return terminal("invalid-request", message ?? "the request cannot be read", { status: statusCode });
  return AppError.from(thrown);
}

function wrongFields(
  validation: readonly { readonly instancePath: string; readonly message?: string | undefined }[],
  where = "request",
): AppError {
  const issues = validation.slice(0, 100).map(({ instancePath, message = "" }) => ({
    path: instancePath.slice(1).replaceAll("/", "."),
    message,
  }));
  const lines = issues.map(({ path, message }) => `${path || where}: ${message}`).join("; ");
  return terminal("invalid-request", `the ${where} is wrong: ${lines}`, { issues });
}
