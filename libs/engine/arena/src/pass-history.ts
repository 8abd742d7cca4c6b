import type { PlannedNoise } from "@microremed/contracts";
import type { ArenaContext } from "./arena.ts";
import { onDrawnFraction, secondsToPass } from "./history.ts";
import { placeNoise } from "./place-noise.ts";
import { sleepUntil } from "./sleep-until.ts";

/** What is before the incident of an episode. */
export interface HistoryOptions {
  readonly noise?: readonly PlannedNoise[] | undefined;
  /** Cluster time of which agents see the history. */
  readonly historySeconds?: number | undefined;
  readonly seed?: string | undefined;
}

/** Cluster time from the baseline to the first fault, s, if every noise comes about at once. */
export const secondsBefore = ({ noise = [], ...history }: HistoryOptions): number =>
  Math.max(secondsToPass(history), ...noise.map(({ ago }) => ago));

/** Lets the time between the baseline and the incident pass, with the noises in it. */
export async function passHistory(arena: ArenaContext, options: HistoryOptions): Promise<void> {
  const { noise = [] } = options;
  const oldest = Math.max(0, ...noise.map(({ ago }) => ago));
  await untilDrawnFraction(arena, options, (secondsToPass(options) - oldest) * 1000);
  await placeNoise(arena, noise);
  await untilDrawnFraction(arena, options);
}

/** Waits `ms` and then for the fraction of a second of this problem's changes, if agents are shown what was before. */
export async function untilDrawnFraction(
  { cluster: { clock }, signal }: ArenaContext,
  options: HistoryOptions,
  ms = 0,
): Promise<void> {
  const isShown = (options.noise ?? []).length > 0 || secondsToPass(options) > 0;
  const at = (await clock.now()) + ms;
  await sleepUntil(clock, isShown ? onDrawnFraction(at, options, "history") : at, signal);
}
