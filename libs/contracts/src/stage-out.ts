import type { EpisodeState } from "./episode.ts";
import type { Stage } from "./results.ts";

/** Which stage's command is out, and its result awaited, in each state of an episode. */
export const stageOut = {
  planned: undefined,
  leased: "prepare",
  checked: "inject",
  generating: "remediate",
  executing: "execute",
  verifying: "verify",
  judged: "restore",
  done: undefined,
} as const satisfies Record<EpisodeState, Stage | undefined>;
