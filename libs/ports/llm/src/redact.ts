import { AppError } from "@microremed/core";

/** The error without the secret in its message, its details or its causes. Causes are dropped: they quote requests. */
export function redactError(error: AppError, secret: string | null): AppError {
  const clean = (text: string): string => (secret ? text.replaceAll(secret, "[redacted]") : text);
  return new AppError(error.code, clean(error.message), {
    severity: error.severity,
    details: error.details,
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
  });
}
