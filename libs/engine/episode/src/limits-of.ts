import type { EpisodeRecord, ExperimentRequest } from "@microremed/contracts";
import { probesFor } from "@microremed/llm/policy-needs";

/** Deadlines of an episode's stages, in seconds: its problem's, where that has any, or its request's. */
export function timeoutsOf(
  { problem }: Pick<EpisodeRecord, "problem">,
  { timeouts }: Pick<ExperimentRequest, "timeouts">,
): ExperimentRequest["timeouts"] {
  const { injectionSeconds = timeouts.injectionSeconds, recoverySeconds = timeouts.recoverySeconds } =
    problem?.limits ?? {};
  return { ...timeouts, injectionSeconds, recoverySeconds };
}

/** Observing calls in an attempt: the problem's number, or the request's, or the model's. */
export function probesOf(
  { problem, model }: Pick<EpisodeRecord, "problem" | "model">,
  request: Pick<ExperimentRequest, "maxProbes">,
): number {
  return problem?.limits?.maxProbes ?? probesFor(model, request);
}
