import {
  type EpisodeRecord,
  type EpisodeTurn,
  endSteps,
  type Turns,
  type TurnsQuery,
} from "@microremed/contracts";
import { attemptNumber, endForAgent } from "@microremed/episode";
import type { SchedulerDeps } from "../service.types.ts";

/** How far the episodes of an outside agent are: those that hold an arena, or one. */
export async function turnsOf(
  { state }: Pick<SchedulerDeps, "state">,
  { experimentId, model, episodeId }: TurnsQuery,
): Promise<Turns> {
  const experiment = await state.experiments.get(experimentId);
  if (!experiment?.record.request.model.includes(model)) {
    const message = `no experiment ${JSON.stringify(experimentId)} with episodes for ${model} is known`;
    return { status: "error", error: { code: "unknown-experiment", message, details: {} } };
  }
  const { record, done } = experiment;
  const ids = episodeId === undefined ? await state.episodes.active(experimentId) : [episodeId];
  const episodes = await state.episodes.getMany(ids);
  const isShown = record.request.reveal === "outcome";
  return {
    status: "ok",
    experiment: record.status,
    ...(record.request.owner !== undefined && { owner: record.request.owner }),
    silenceSeconds: record.request.timeouts.modelSeconds,
    episodes: record.episodes,
    done: Math.min(done, record.episodes),
    turns: episodes
      .filter((one) => one.experimentId === experimentId && one.model === model)
      .slice(0, 1000)
      .map((one) => turnOf(one, isShown)),
  };
}

function turnOf(record: EpisodeRecord, isShown: boolean): EpisodeTurn {
  const { id, state, trial, steps, outcome } = record;
  const attempt = attemptNumber(record);
  const isOver = outcome !== null || state === "done";
  const end = endForAgent(record);
  return {
    ...{ episodeId: id, state, trial, attempt, isOver },
    ...(end && { end }),
    turnEnded: endSteps(steps).some((step) => step.attempt === attempt),
    // Only when nothing can be done with it any more.
    outcome: isShown && isOver ? outcome : null,
  };
}
