import type { ErrorCode } from "@microremed/contracts";
import { AppError, retryable, terminal } from "@microremed/core";
import type { FastifyError, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";

/** Statuses of errors by their codes, where it is not 500; docs/gateway.md has them too. */
export const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
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
  conflict: 409,
  "version-conflict": 409,
  "bus-unreachable": 503,
  "state-unreachable": 503,
  "deadline-exceeded": 503,
};

/** The HTTP status of an error; 500 for those of the machinery. */
export function statusOf({ code }: Pick<AppError, "code">): number {
  return statuses[code as ErrorCode] ?? 500;
}

/** What of a request its errors say. */
type AskedRequest = Pick<FastifyRequest, "headers" | "routeOptions">;

/** Anything that a route or the HTTP server throws, as an error of ours. */
export function errorFrom(thrown: unknown, request: AskedRequest): AppError {
  if (thrown instanceof AppError) return thrown;
  if (hasZodFastifySchemaValidationErrors(thrown))
    return wrongFields(thrown.validation, thrown.validationContext);
  const { statusCode, message, code } = thrown as Partial<FastifyError>;
  const said = bodyErrors[code ?? ""]?.(request);
  if (said !== undefined) return terminal("invalid-request", said, { status: statusCode });
  if (statusCode === 429 || statusCode === 503) return retryable("too-many-requests", message ?? "busy");
  if (statusCode !== undefined && statusCode < 500)
    return terminal("invalid-request", message ?? "the request cannot be read", { status: statusCode });
  return AppError.from(thrown);
}

/** Bodies that are not read, by the codes of Fastify. */
const bodyErrors: Readonly<Partial<Record<string, (request: AskedRequest) => string>>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ({ headers }) => {
    const type = headers["content-type"];
    const what =
      type === undefined ? "no Content-Type" : `the Content-Type ${JSON.stringify(type.slice(0, 100))}`;
    return `the body of the request has ${what}; expected JSON: send the header \`Content-Type: application/json\``;
  },
  FST_ERR_CTP_BODY_TOO_LARGE: ({ headers, routeOptions }) => {
    const length = headers["content-length"];
    const size = length === undefined ? "more" : `${length.slice(0, 20)} bytes, more`;
    return `the body of the request has ${size} than the ${routeOptions.bodyLimit} bytes that one may have; send less, for example shorter arguments`;
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    "the body of the request is not as long as its Content-Length says; let the HTTP client set that header",
};

/** As those name them who send a request. */
const places: Readonly<Record<string, string>> = {
  params: "path",
  querystring: "query of the address",
};

function wrongFields(
  validation: readonly { readonly instancePath: string; readonly message?: string | undefined }[],
  context = "request",
): AppError {
  const where = places[context] ?? context;
  const issues = validation.slice(0, 100).map(({ instancePath, message = "" }) => ({
    path: instancePath.slice(1).replaceAll("/", "."),
    message,
  }));
  const lines = issues.map(({ path, message }) => `${path || where}: ${message}`).join("; ");
  const all = `the ${where} is wrong: ${lines}; /docs has what this route takes`;
  return terminal("invalid-request", all, { issues });
}
