/**
 * How the caller must treat a failure.
 * - `terminal`: the same input fails again; report it and go on.
 * - `retryable`: a system outside of the harness was at fault; the same input may succeed later.
 */
export type Severity = "terminal" | "retryable";

/** Plain data that explains an error; it is logged and put in events, so it never holds secrets. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error class of the product.
 *
 * The message says what was wrong, where, what was expected and what to do. `code` is a stable kebab-case word
 * that programs decide by (see `errorCodes` in contracts).
 */
export class AppError extends Error {
  readonly code: string;
  readonly severity: Severity;
  readonly details: ErrorDetails;
  /** For retryable errors: wait this long before the next try, ms. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: string,
    message: string,
    options: { severity?: Severity; details?: ErrorDetails; retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AppError";
    this.code = code;
    this.severity = options.severity ?? "terminal";
    this.details = options.details ?? {};
    this.retryAfterMs = options.retryAfterMs;
  }

  /** Anything thrown, as an AppError: an AppError stays itself, all else becomes a retryable `internal`. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new AppError("internal", message, { severity: "retryable", cause: thrown });
  }
}

/** An error that the same input will meet again. */
export function terminal(code: string, message: string, details?: ErrorDetails, cause?: unknown): AppError {
  return new AppError(code, message, { severity: "terminal", ...(details && { details }), cause });
}

/** An error of a system outside of the harness that may be gone later. */
export function retryable(code: string, message: string, details?: ErrorDetails, cause?: unknown): AppError {
  return new AppError(code, message, { severity: "retryable", ...(details && { details }), cause });
}
