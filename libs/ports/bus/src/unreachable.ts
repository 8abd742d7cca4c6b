import { AppError, retryable } from "@microremed/core";

/** Whatever was thrown, as a retryable `bus-unreachable` that says what was being done; an AppError stays itself. */
export function unreachable(doing: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return retryable("bus-unreachable", `${doing} failed: ${why}`, {}, cause);
}
