import { smallestSample } from "../statistics/binomial.ts";

/**
 * A lossy network loses half of the echoes; one that loses 1 % still counts as clean. Smallest sample with which the
 * first passes a check with probability below 1e-6 and the second fails it below 1e-3: 33 echoes, 3 may be lost.
 */
export const lossPlan = smallestSample({
  badRate: 0.5,
  cleanRate: 0.01,
  mostMissed: 1e-6,
  mostFalseAlarms: 1e-3,
});

/** Echo requests to each pod in one check: 33, from `lossPlan`. */
export const pingCount = lossPlan.size;

/** Echo requests from the prober to one pod. Null: no such number came back. */
export interface PingReading {
  readonly pod: string;
  readonly sent: number | null;
  readonly received: number | null;
  /** Mean round trip, ms. */
  readonly rttMs: number | null;
  /** Round trip of each echo in the order of sending, ms; null: it did not come back. */
  readonly echoes: readonly (number | null)[];
}
