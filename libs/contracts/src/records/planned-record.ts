import { episodeId } from "../ids.ts";
import type { EpisodeRecord } from "./episode.ts";
import type { PlannedEpisode } from "./planned-episode.ts";

/** The record that an episode begins with: planned, and nothing done yet. */
export function plannedRecord(experimentId: string, planned: PlannedEpisode): EpisodeRecord {
  return {
    recordVersion: 2,
    id: episodeId(experimentId, planned.index),
    experimentId,
    ...planned,
    version: 0,
    state: "planned",
    trial: 1,
    attempt: 0,
    arena: null,
    baseline: null,
    injection: null,
    steps: [],
    redraws: [],
    outcome: null,
    reason: null,
    error: null,
    restored: null,
    damage: null,
    timings: [],
  };
}
