import type { EpisodeRecord, StageResult } from "@microremed/contracts";
import type { EpisodePlan } from "@microremed/episode";

/** Keeps episodes from clusters that misbehave as a whole. */
export interface ClusterWatch {
  /** Told of every result that an episode takes, before its step is stored. Costs nothing while all is well. */
  note(record: EpisodeRecord, plan: EpisodePlan, result: StageResult): Promise<void>;
  /** Looks at the clusters in quarantine, and takes back those that answer again. */
  look(): Promise<void>;
}
