import type { ExperimentRecord } from "../records/experiment.ts";

/** An experiment of so many episodes, as it is right after its request was accepted. */
export function aRunningExperiment(
  id: string,
  request: ExperimentRecord["request"],
  episodes = 1,
): ExperimentRecord {
  return {
    id,
    request,
    status: "running",
    episodes,
    harnessVersion: "1.2.3",
    range: "processes",
    submittedAt: 1,
    finishedAt: null,
  };
}
