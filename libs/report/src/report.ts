import type { EpisodeRecord, ExperimentRecord, ExperimentRequest } from "@microremed/contracts";
import { type EpisodeRow, episodeRow } from "./episode-row.ts";
import { type Summary, summarise } from "./summary.ts";

/** The one document about an experiment; `--output json` prints it as it is. */
export interface Report {
  readonly experimentId: string;
  readonly status: ExperimentRecord["status"];
  readonly request: ExperimentRequest;
  /** True for the reference/* policies, which are rules and no language models. */
  readonly ruleBased: boolean;
  readonly episodes: readonly EpisodeRow[];
  readonly summary: Summary;
}

export function createReport(experiment: ExperimentRecord, records: readonly EpisodeRecord[]): Report {
  const episodes = records.map(episodeRow).sort((a, b) => a.index - b.index);
  return {
    experimentId: experiment.id,
    status: experiment.status,
    request: experiment.request,
    ruleBased: experiment.request.model.every(isRuleBased),
    episodes,
    summary: summarise(episodes),
  };
}

export function isRuleBased(model: string): boolean {
  return model.startsWith("reference/");
}

/** The model's name as every report prints it. */
export function modelLabel(model: string): string {
  return isRuleBased(model) ? `${model} (rule-based)` : model;
}
