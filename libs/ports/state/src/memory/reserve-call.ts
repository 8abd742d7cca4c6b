import type { CallLimits } from "../model-calls.ts";

/** Each limit is a point in time, ms, that every call moves on by its share of the minute; `null`: no call yet. */
export interface CallTimes {
  readonly requestsAt: number | null;
  readonly tokensAt: number | null;
}

interface Reservation {
  readonly at: number;
  readonly waitMs: number;
}

/** Points in time are kept to the microsecond. */
const toMicros = (ms: number): number => Number(ms.toFixed(3));

/**
 * The point may run ahead of the clock by a burst; what the burst allows at once is taken from the pace (calls or tokens
 * per minute), so that no minute ever holds more than the limit.
 */
function reserve(
  at: number | null,
  { burst, pace, share }: { burst: number; pace: number; share: number },
  now: number,
): Reservation {
  const step = 60_000 / pace;
  const from = Math.max(at ?? 0, now);
  return {
    at: toMicros(from + share * step),
    waitMs: from + Math.min(share, burst) * step - burst * step - now,
  };
}

/** Reserves a place for one call of so many tokens; `waitMs`: how long to wait before it. */
export function reserveCall(
  times: CallTimes,
  { requestsPerMinute = 0, tokensPerMinute = 0 }: CallLimits,
  tokens: number,
  now: number,
): CallTimes & { readonly waitMs: number } {
  const burst = Math.max(1, Math.floor(requestsPerMinute / 10));
  const request =
    requestsPerMinute > 0
      ? reserve(times.requestsAt, { burst, pace: requestsPerMinute - burst + 1, share: 1 }, now)
      : { at: times.requestsAt, waitMs: 0 };
  const half = tokensPerMinute / 2;
  const token =
    tokensPerMinute > 0
      ? reserve(times.tokensAt, { burst: half, pace: half, share: tokens }, now)
      : { at: times.tokensAt, waitMs: 0 };
  const waitMs = Math.ceil(Math.max(0, request.waitMs, token.waitMs));
  return { requestsAt: request.at, tokensAt: token.at, waitMs };
}

/** A call used so many tokens more than it reserved; negative: fewer. */
export function settleTokens(
  tokensAt: number | null,
  { tokensPerMinute = 0 }: CallLimits,
  moreTokens: number,
): number | null {
  if (tokensPerMinute === 0 || tokensAt === null) return tokensAt;
  return toMicros(tokensAt + moreTokens * (60_000 / (tokensPerMinute / 2)));
}
