import { createRng } from "@microremed/core";

interface History {
  readonly historySeconds?: number | undefined;
  readonly seed?: string | undefined;
}

/** Until no measurement has the requests of the baseline in it any more: metrics come every 15 s. */
const quietSeconds = 20;
/** More than what baselines and proofs of different faults take differs by. */
const mostDrawnSeconds = 60;

/**
 * Cluster time from the baseline to the fault, s. It is longer than the history that is shown: what a baseline takes, and
 * leaves in the metrics, depends on the fault, and objects show their age.
 */
export function secondsToPass({ historySeconds = 0, seed = "" }: History): number {
  if (historySeconds === 0) return 0;
  return historySeconds + quietSeconds + createRng(seed, "history").int(mostDrawnSeconds);
}

/**
 * The first moment from `at` on, cluster time in ms, whose fraction of a second is the one that is drawn for `what`. What happens
 * before takes another fraction of a second with each fault, and an agent can read it, in the names of events or by `date`.
 */
export function onDrawnFraction(
  at: number,
  { seed = "" }: Pick<History, "seed">,
  what: "history" | "question",
): number {
  const fraction = createRng(seed, `fraction of a second: ${what}`).int(1000);
  return at + ((((fraction - at) % 1000) + 1000) % 1000);
}

/**
 * What an agent that is asked first at `asked` (cluster time, ms) may see: as much of the past with a fault as without one.
 * Counted from the baseline it would be longer with a fault, by its proof.
 */
export function historyUntil(
  asked: number,
  { historySeconds = 0 }: History,
): { readonly historyFrom?: number } {
  return historySeconds === 0 ? {} : { historyFrom: asked - historySeconds * 1000 };
}
