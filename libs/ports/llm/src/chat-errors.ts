import { AppError, clipMiddle, retryable, terminal } from "@microremed/core";
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "openai";

/** Longest wait that a provider may ask for, ms: more is cut to this, so that an episode ends in bounded time. */
const longestRetryAfterMs = 120_000;

/** Statuses below 500 after which the same request may succeed. */
const comeBackLater = new Set([408, 409, 425, 429]);

/** What a call threw, as one of the product's model errors. `who` names model and endpoint. */
export function toModelError(thrown: unknown, who: string, timeoutMs: number): AppError {
  const own = ownError(thrown);
  if (own) return new AppError(own.code, `${who}: ${own.message}`, { severity: own.severity, cause: thrown });
  if (thrown instanceof APIConnectionTimeoutError || thrown instanceof APIUserAbortError) {
    // The whole time that the request allows is used up: once more would be as much again.
    return terminal("model-unreachable", `${who}: no complete answer within ${timeoutMs / 1000} s`);
  }
  if (thrown instanceof APIConnectionError) {
    const reason = rootMessage(thrown);
    return retryable("model-unreachable", `${who}: ${reason}; is the base URL right and the server running?`);
  }
  if (thrown instanceof APIError && typeof thrown.status === "number") return statusError(thrown, who);
  return retryable("model-unreachable", `${who}: ${rootMessage(thrown)}`);
}

function statusError(error: InstanceType<typeof APIError>, who: string): AppError {
  const status: number = error.status ?? 0;
  const said = clipMiddle(error.message, 600);
  if (status >= 500 || comeBackLater.has(status)) {
    const retryAfterMs = retryAfter(error.headers);
    return new AppError("model-overloaded", `${who} answered ${said}`, {
      severity: "retryable",
      details: { status },
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  }
  if (isContextExceeded(status, `${said} ${error.code}`))
    return terminal("model-context-exceeded", `${who} answered ${said}`, { status });
  return terminal("model-refused", `${who} answered ${said}${adviceFor(status)}`, { status });
}

const tooLong =
  /context[ _-]?(?:length|window|size)|maximum context|prompt is too long|too many (?:input )?tokens|input (?:is )?too long|exceeds? the (?:maximum|available|model)/i;

/** Providers agree on no code for it, but on the words. */
function isContextExceeded(status: number, said: string): boolean {
  return (status === 400 || status === 413 || status === 422) && tooLong.test(said);
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return " (check the API key)";
  if (status === 404) return " (check the base URL and the model's id)";
  return "";
}

/** ms, from `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfter(headers: Headers | undefined, now = Date.now()): number | undefined {
  const ms = Number.parseFloat(headers?.get("retry-after-ms") ?? "");
  const text = headers?.get("retry-after") ?? "";
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  const wait = Number.isFinite(ms) ? ms : seconds * 1000;
  return Number.isFinite(wait) ? Math.min(Math.max(wait, 0), longestRetryAfterMs) : undefined;
}

/** An AppError thrown inside fetch arrives wrapped. */
function ownError(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return thrown;
  return thrown instanceof Error && thrown.cause !== undefined ? ownError(thrown.cause) : undefined;
}

/** Node says only "fetch failed" at the top; the cause names the address and the reason. */
function rootMessage(thrown: unknown): string {
  if (!(thrown instanceof Error)) return clipMiddle(String(thrown), 300);
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return rootMessage(thrown.errors[0]);
  return thrown.cause instanceof Error ? rootMessage(thrown.cause) : clipMiddle(thrown.message, 300);
}
