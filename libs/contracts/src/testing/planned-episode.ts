import { caseIdOf, type PlannedEpisode } from "../records/planned-episode.ts";

/** A planned episode for tests. */
export function aPlannedEpisode(change: Partial<PlannedEpisode> = {}): PlannedEpisode {
  const { failure = "cpu-stress", target = "cart", index = 0 } = change;
  return {
    index,
    failure,
    target,
    caseId: caseIdOf({ seed: 1, number: index, failure, target }),
    model: "reference/noop",
    method: "ThinkRemed",
    repeat: 1,
    alternatives: [],
    ...change,
  };
}
