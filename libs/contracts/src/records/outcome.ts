import { z } from "zod";

/**
 * Kept apart and never mixed in a score. Success rate = remediated / (remediated + not-remediated) for the task of
 * repairing, solved / (solved + not-solved) for every other.
 */
export const Outcome = z.enum([
  "remediated",
  "not-remediated",
  "solved",
  "not-solved",
  "injection-failed",
  "harness-error",
  "cancelled",
]);
export type Outcome = z.infer<typeof Outcome>;

/** Whether the agent did what it was asked. */
export function isPassed(outcome: Outcome | null): boolean {
  return outcome === "remediated" || outcome === "solved";
}

/** Whether the outcome says something of the agent. */
export function isScored(outcome: Outcome | null): boolean {
  return isPassed(outcome) || outcome === "not-remediated" || outcome === "not-solved";
}
