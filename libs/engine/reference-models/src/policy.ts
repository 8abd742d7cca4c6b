import type { FailureReport } from "@microremed/catalogue";

/** What a policy decides by: everything comes from the messages of the request, nothing is kept between requests. */
export interface Situation {
  readonly report: FailureReport;
  /** 1 for the first attempt of the episode. */
  readonly attempt: number;
  /** Of the episode's attempt; what a policy draws, it draws from this. */
  readonly seed: number;
  readonly canProbe: boolean;
  /** What the probes of this attempt returned. */
  readonly observations: readonly string[];
}

export type Move = { readonly probe: string } | { readonly playbook: string };

/** A fixed rule in the place of a language model: same situation, same move. */
export type Policy = (situation: Situation) => Move;
