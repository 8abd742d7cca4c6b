import { setTimeout as delay } from "node:timers/promises";
import { AppError, terminal } from "@microremed/core";
import type { ModelLimits } from "./models-file.ts";

/** Where all replicas keep count of one another's calls (Redis in production). Times in ms. */
export interface RateLimiter {
  /** Reserves a place for a call of about so many tokens; returns how long to wait for it. */
  reserve(model: string, limits: ModelLimits, tokens: number): Promise<number>;
  /** How long the model may not be called, and whether that is because its provider fails or because it said so. */
  blockedFor(model: string): Promise<{ readonly ms: number; readonly failing: boolean }>;
  /** A call brought an answer and used so many tokens more than it reserved (less than none: fewer). */
  settle(model: string, limits: ModelLimits, moreTokens: number): Promise<void>;
  /** The provider could not answer; it asked for so long a pause, or for none. */
  fail(model: string, retryAfterMs: number | undefined): Promise<void>;
}

/** Times in ms. */
export interface Waited {
  readonly allMs: number;
  /** Of it, for a failing provider. */
  readonly failingMs: number;
}

/** Controls every call of one model. */
export interface CallGate {
  /**
   * Waits for the call's turn. Throws `model-overloaded`: retryable when there is a time at which the call may be made,
   * terminal when its provider keeps failing for `limitMs`.
   */
  enter(tokens: number, limitMs: number, signal?: AbortSignal): Promise<Waited>;
  answered(moreTokens: number): Promise<void>;
  failed(retryAfterMs: number | undefined): Promise<void>;
}

/** Longest wait for a turn, ms: a queue of this length means that the limits and the load do not go together. */
const longestWaitMs = 900_000;
/** A provider that is blocked for longer is left to a later delivery of the turn, ms. */
const longestBlockMs = 10_000;

/** Keeps the model's limits together with all other replicas, and stays away from a provider that fails. */
export function createCallGate(limiter: RateLimiter, model: string, limits: ModelLimits): CallGate {
  /** Returns for how long the provider was waited for because it fails. */
  const untilUnblocked = async (limitMs: number, signal?: AbortSignal): Promise<number> => {
    let failingMs = 0;
    for (;;) {
      const { ms, failing } = await limiter.blockedFor(model);
      if (ms <= 0) return failingMs;
      if (failing) failingMs += ms;
      else if (ms > longestBlockMs) throw paused(model, ms);
      if (failingMs > limitMs) throw dead(model, limitMs);
      await delay(ms, undefined, signal ? { signal } : {});
    }
  };
  return {
    enter: async (tokens, limitMs, signal) => {
      const startedAt = performance.now();
      let failingMs = await untilUnblocked(limitMs, signal);
      const ms = await limiter.reserve(model, limits, tokens);
      if (ms > longestWaitMs) throw paused(model, ms);
      if (ms > 0) {
        await delay(ms, undefined, signal ? { signal } : {});
        failingMs += await untilUnblocked(limitMs - failingMs, signal);
      }
      return { allMs: Math.round(performance.now() - startedAt), failingMs };
    },
    answered: (moreTokens) => limiter.settle(model, limits, moreTokens),
    failed: (retryAfterMs) => limiter.fail(model, retryAfterMs),
  };
}

/** For a model without limits that only one process calls. */
export const openGate: CallGate = {
  enter: async () => ({ allMs: 0, failingMs: 0 }),
  answered: async () => {},
  failed: async () => {},
};

function paused(model: string, ms: number): AppError {
  const message = `model ${JSON.stringify(model)} may not be called for another ${Math.ceil(ms / 1000)} s: its limits are used up, or its provider asked for a pause`;
  return new AppError("model-overloaded", message, { severity: "retryable", retryAfterMs: ms });
}

function dead(model: string, ms: number): AppError {
  const message = `model ${JSON.stringify(model)}: its provider keeps failing; no call was answered within ${Math.round(ms / 1000)} s`;
  return terminal("model-overloaded", message);
}
