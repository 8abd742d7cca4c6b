import type { EpisodeRecord, ExperimentRequest } from "@microremed/contracts";

/** Deadlines of an episode's stages, in seconds: its problem's, where that has any, or its request's. */
export function timeoutsOf(
  { problem }: Pick<EpisodeRecord, "problem">,
  { timeouts }: Pick<ExperimentRequest, "timeouts">,
): ExperimentRequest["timeouts"] {
  const { injectionSeconds = timeouts.injectionSeconds, recoverySeconds = timeouts.recoverySeconds } =
    problem?.limits ?? {};
  return { ...timeouts, injectionSeconds, recoverySeconds };
}
