import type { EpisodeRecord, ExperimentRecord, ExperimentRequest } from "@microremed/contracts";
import { type EpisodeRow, episodeRow } from "./episode-row.ts";
import { type Group, groupsOf } from "./group.ts";
import { type Summary, summarise } from "./summary.ts";

/** The one document about an experiment; `--output json` prints it as it is. */
export interface Report {
  readonly experimentId: string;
  readonly harnessVersion: string;
  readonly range: ExperimentRecord["range"];
  readonly status: ReportStatus;
  /** Episodes that the request plans; null: the plan cannot be made here; absent: it was not asked, as of a range. */
  readonly planned?: number | null | undefined;
  /** Saved episodes that are not to be believed as they are; absent: none, or it was not checked. */
  readonly unfounded?: readonly Unfounded[] | undefined;
  readonly request: ExperimentRequest;
  /** Every model with every method. */
  readonly groups: readonly Group[];
  readonly episodes: readonly EpisodeRow[];
  /** Over all groups. */
  readonly summary: Summary;
}

/** An episode whose outcome does not follow from what is saved with it, or that the request does not plan: why, a sentence each. */
export interface Unfounded {
  readonly id: string;
  readonly problems: readonly string[];
}

/**
 * Of the experiment when the report was made; `interrupted`: no range runs it, and some of its episodes have not ended;
 * `incomplete`: nor are all episodes there that its request plans.
 */
export type ReportStatus = ExperimentRecord["status"] | "interrupted" | "incomplete";

/** What of an experiment its report says. */
export interface ReportedExperiment
  extends Pick<ExperimentRecord, "id" | "request" | "harnessVersion" | "range" | "neverPlanned"> {
  readonly status: ReportStatus;
  readonly planned?: number | null | undefined;
  readonly unfounded?: readonly Unfounded[] | undefined;
}

/** The report of an experiment, with its episodes by index. Episodes that still run are counted apart. */
export function createReport(experiment: ReportedExperiment, records: readonly EpisodeRecord[]): Report {
  const episodes = records
    .map((record) => episodeRow(record, experiment.request.thinkTime))
    .sort((a, b) => a.index - b.index);
  const { neverPlanned } = experiment;
  const ofRange = neverPlanned === undefined ? undefined : episodes.length + neverPlanned;
  const planned = experiment.planned === undefined ? ofRange : experiment.planned;
  return {
    experimentId: experiment.id,
    harnessVersion: experiment.harnessVersion,
    range: experiment.range,
    status: experiment.status,
    ...(planned !== undefined && { planned }),
    ...(experiment.unfounded && experiment.unfounded.length > 0 && { unfounded: experiment.unfounded }),
    request: experiment.request,
    groups: groupsOf(episodes),
    episodes,
    summary: summarise(episodes),
  };
}
