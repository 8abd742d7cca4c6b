import type { Measurement } from "@microremed/contracts";
import { smallestSample } from "../statistics/binomial.ts";

/**
 * Our own requests. A system of which half the requests fail or are late must not pass a check (below 1e-6), one that
 * serves all but 1 % must not fail it (below 1e-3): 33 requests, of which 3 may go wrong.
 */
export const entryPlan = smallestSample({
  badRate: 0.5,
  cleanRate: 0.01,
  mostMissed: 1e-6,
  mostFalseAlarms: 1e-3,
});

/** Requests from the prober to the environment's entry. Null: they could not be made. */
export interface EntryReading {
  readonly url: string;
  readonly answered: number | null;
}

/** What is wrong with the entry's answers, a line each, and what was measured. */
export function judgeEntry(
  { url, answered }: EntryReading,
  at: number,
): { problems: string[]; measurements: Measurement[] } {
  const least = entryPlan.size - entryPlan.mostBad;
  const name = `answers of ${url} to ${entryPlan.size} requests`;
  const measurements = [{ name, value: answered, unit: "requests", threshold: least, at }];
  if (answered === null) return { problems: [`${url} could not be asked`], measurements };
  const problems =
    answered < least ? [`${url} answered ${answered} of ${entryPlan.size} requests in time`] : [];
  return { problems, measurements };
}
