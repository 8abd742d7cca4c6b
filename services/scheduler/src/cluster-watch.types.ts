import type { EpisodeRecord, StageResult } from "@microremed/contracts";
import type { EpisodePlan } from "@microremed/episode";

/** Keeps episodes from clusters that misbehave as a whole. */
export interface ClusterWatch {
  /** Is given every result that an episode takes, before its transition is stored. Costs nothing while all is well. */
  note(record: EpisodeRecord, plan: EpisodePlan, result: StageResult): Promise<void>;
  /** Checks the clusters in quarantine, and takes back those that answer again. */
  check(): Promise<void>;
}
