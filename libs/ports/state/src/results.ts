import type { Stage, StageResult } from "@microremed/contracts";

/** What one command is idempotent under. */
export interface StageKey {
  readonly episodeId: string;
  readonly trial: number;
  readonly attempt: number;
  readonly stage: Stage;
}

/** The result of each command, stored once: the first one counts. */
export interface Results {
  get(key: StageKey): Promise<StageResult | undefined>;
  /**
   * Stores the result that `holder` has reached under its claim, unless there is one; returns the one that is stored.
   * `undefined`: the claim is lost, so the result does not count.
   */
  store(result: StageResult, holder: string): Promise<StageResult | undefined>;
}

/** `<episode>/<trial>/<attempt>/<stage>`. */
export function stageKeyText(key: StageKey): string {
  return `${key.episodeId}/${key.trial}/${key.attempt}/${key.stage}`;
}
