import { cleanOf, type EpisodeDocument, isPassed, isScored, lastVerdictOf } from "@microremed/contracts";
import { episodeRow } from "@microremed/scoring";

/** Of one task: whether it passed, and its score from 0 to 1. */
export interface TaskReward {
  readonly passed: 0 | 1;
  readonly score: number;
}

/** The reward of an episode for training. Null: it says nothing of the model, leave it out. */
export interface Rewards {
  /** 1: remediated by the strict verdict, or the answer passed; 0: not; null: the harness or the injection failed, or it was cancelled. */
  readonly strict: 0 | 1 | null;
  /** The headline: remediated, and nothing left worse than before; null: not asked, as in records of before. */
  readonly clean: 0 | 1 | null;
  /** The same by the published rules; null: not computed. */
  readonly microremed: 0 | 1 | null;
  /** By task, of a cycle each of its tasks; empty: it says nothing of the model. */
  readonly tasks: Readonly<Record<string, TaskReward>>;
}

export function rewardsOf(document: EpisodeDocument): Rewards {
  const { outcome } = document;
  if (!isScored(outcome)) return { strict: null, clean: null, microremed: null, tasks: {} };
  const clean = cleanOf(document);
  const published = lastVerdictOf(document)?.microremed;
  return {
    strict: isPassed(outcome) ? 1 : 0,
    clean: clean === null ? null : clean ? 1 : 0,
    microremed: published ? (published.recovered ? 1 : 0) : null,
    tasks: Object.fromEntries(
      episodeRow(document).tasks.map(({ task, passed, score }) => [task, { passed: passed ? 1 : 0, score }]),
    ),
  };
}
