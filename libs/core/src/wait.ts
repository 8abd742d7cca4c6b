import type { Clock } from "./clock.ts";
import { AppError, retryable } from "./errors.ts";

/** How long `waitFor` waits and how often it checks. `signal` ends the wait early. */
export interface WaitOptions {
  readonly clock: Clock;
  /** What is waited for, in words: it is named when the deadline passes. */
  readonly what: string;
  /** Cluster time, ms. */
  readonly timeoutMs: number;
  /** Cluster time between two checks, ms. */
  readonly intervalMs: number;
  /** Checks that are made however long each takes, 1 by default: a slow check alone must not end the wait. */
  readonly leastChecks?: number;
  readonly signal?: AbortSignal;
}

/**
 * Calls `check` until it returns something other than `undefined`, and returns that.
 * Throws `deadline-exceeded` (retryable) that says what it waited for, how long, and what `describe` last saw.
 */
export async function waitFor<T>(
  options: WaitOptions,
  check: () => Promise<T | undefined>,
  describe: () => string = () => "",
): Promise<T> {
  await using _hold = await options.clock.hold();
  const startedAt = await options.clock.now();
  const least = options.leastChecks ?? 1;
  for (let checks = 1; ; checks++) {
    options.signal?.throwIfAborted();
    const found = await check();
    if (found !== undefined) return found;
    const waited = (await options.clock.now()) - startedAt;
    if (waited >= options.timeoutMs && checks >= least) {
      const seen = describe();
      throw retryable(
        "deadline-exceeded",
        `waited ${Math.round(waited / 1000)} s of cluster time for ${options.what}${seen ? `; last seen: ${seen}` : ""}`,
        { waitedMs: waited },
      );
    }
    const left = options.timeoutMs - waited;
    await options.clock.sleep(
      left > 0 ? Math.min(options.intervalMs, left) : options.intervalMs,
      options.signal,
    );
  }
}

/** Whether a wait ended because its time was up. */
export function isLate(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "deadline-exceeded";
}
