import { type EpisodeDocument, isPassed, isScored, lastVerdictOf } from "@microremed/contracts";

/** The reward of an episode for training. Null: it says nothing of the model, leave it out. */
export interface Rewards {
  /** 1: remediated by the strict verdict, or the answer passed; 0: not; null: the harness or the injection failed, or it was cancelled. */
  readonly strict: 0 | 1 | null;
  /** The same by the published rules; null: not computed. */
  readonly microremed: 0 | 1 | null;
}

export function rewardsOf(document: EpisodeDocument): Rewards {
  const { outcome } = document;
  if (!isScored(outcome)) return { strict: null, microremed: null };
  const published = lastVerdictOf(document)?.microremed;
  return {
    strict: isPassed(outcome) ? 1 : 0,
    microremed: published ? (published.recovered ? 1 : 0) : null,
  };
}
