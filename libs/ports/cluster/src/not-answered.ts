import { AppError } from "@microremed/core";

/** What the API server says for a backend that is not there, or not well. */
const statuses = new Set([400, 404, 500, 502, 503, 504]);

/** Whether an API server that proxies got no good answer itself. */
export function isNotAnswered(error: unknown): boolean {
  return error instanceof AppError && statuses.has(Number(error.details["status"]));
}
