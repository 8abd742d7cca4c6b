import { setTimeout as delay } from "node:timers/promises";
import { AppError } from "@microremed/core";
import type { ModelLimits } from "./models-file.ts";

/** Where all replicas keep count of one another's calls (Redis in production). Times in ms. */
export interface RateLimiter {
  /** Reserves a place for a call of about so many tokens; returns how long to wait for it. */
  reserve(model: string, limits: ModelLimits, tokens: number): Promise<number>;
  /** How long nobody may call the model, because its provider said so or fails. */
  blockedFor(model: string): Promise<number>;
  /** A call brought an answer and used so many tokens more than it reserved (less than none: fewer). */
  settle(model: string, limits: ModelLimits, moreTokens: number): Promise<void>;
  /** The provider could not answer; it asked for so long a pause, or for none. */
  fail(model: string, retryAfterMs: number | undefined): Promise<void>;
}

/** What stands before every call of one model. */
export interface CallGate {
  /** Waits for the call's turn, and returns for how long it waited, ms. Throws retryable `model-overloaded`. */
  enter(tokens: number, signal?: AbortSignal): Promise<number>;
  answered(moreTokens: number): Promise<void>;
  failed(retryAfterMs: number | undefined): Promise<void>;
}

/** Longest wait for a turn, ms: a queue of this length means that the limits and the load do not go together. */
const longestWaitMs = 900_000;
/** A provider that is blocked for longer is left to a later delivery of the turn, ms. */
const longestBlockMs = 10_000;

/** Keeps the model's limits together with all other replicas, and stays away from a provider that fails. */
export function createCallGate(limiter: RateLimiter, model: string, limits: ModelLimits): CallGate {
  const untilUnblocked = async (signal?: AbortSignal): Promise<void> => {
    for (;;) {
      const ms = await limiter.blockedFor(model);
      if (ms <= 0) return;
      if (ms > longestBlockMs) throw paused(model, ms);
      await delay(ms, undefined, signal ? { signal } : {});
    }
  };
  return {
    enter: async (tokens, signal) => {
      const startedAt = performance.now();
      await untilUnblocked(signal);
      const ms = await limiter.reserve(model, limits, tokens);
      if (ms > longestWaitMs) throw paused(model, ms);
      if (ms > 0) {
        await delay(ms, undefined, signal ? { signal } : {});
        await untilUnblocked(signal);
      }
      return Math.round(performance.now() - startedAt);
    },
    answered: (moreTokens) => limiter.settle(model, limits, moreTokens),
    failed: (retryAfterMs) => limiter.fail(model, retryAfterMs),
  };
}

/** For a model without limits whose calls nobody else makes. */
export const openGate: CallGate = {
  enter: async () => 0,
  answered: async () => {},
  failed: async () => {},
};

function paused(model: string, ms: number): AppError {
  const message = `model ${JSON.stringify(model)} may not be called for another ${Math.ceil(ms / 1000)} s: its limits are used up, or its provider asked for a pause or does not answer`;
  return new AppError("model-overloaded", message, { severity: "retryable", retryAfterMs: ms });
}
