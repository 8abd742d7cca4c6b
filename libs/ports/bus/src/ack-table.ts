import type { AppError } from "@microremed/core";

/** After so many deliveries a message goes to the dead letters. */
export const maxDeliveries = 8;

/** How the handling of one delivery ended. */
export type HandlingOutcome =
  | { readonly kind: "returned" }
  | { readonly kind: "released" }
  | { readonly kind: "unreadable"; readonly reason: string }
  | { readonly kind: "threw"; readonly error: AppError };

/** What becomes of the delivery. */
export type AckAction =
  | { readonly kind: "ack" }
  | { readonly kind: "nak"; readonly delayMs: number }
  | { readonly kind: "dead-letter"; readonly code: string; readonly reason: string };

/**
 * The one table of what becomes of a message, once NATS and Redis have been waited for (see `waitOutOutage`).
 *
 * | outcome | action |
 * | --- | --- |
 * | the handler returned | ack |
 * | the service lets go of it (shutdown) | nak at once |
 * | body is not what the schema says | dead letter |
 * | a terminal error | dead letter |
 * | a retryable error, deliveries left | nak after the error's own delay, else after 250 ms doubled per delivery, at most 30 s |
 * | a retryable error on the last delivery | dead letter |
 */
export function decideAck(outcome: HandlingOutcome, delivery: number): AckAction {
  switch (outcome.kind) {
    case "returned":
      return { kind: "ack" };
    case "released":
      return { kind: "nak", delayMs: 0 };
    case "unreadable":
      return { kind: "dead-letter", code: "invalid-message", reason: outcome.reason };
    case "threw": {
      const { error } = outcome;
      if (error.severity === "retryable" && delivery < maxDeliveries) {
        return { kind: "nak", delayMs: error.retryAfterMs ?? backOff(delivery) };
      }
      return { kind: "dead-letter", code: error.code, reason: error.message };
    }
    default:
      return outcome satisfies never;
  }
}

function backOff(delivery: number): number {
  return Math.min(30_000, 250 * 2 ** (delivery - 1));
}
