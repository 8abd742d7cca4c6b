import type { Clock } from "@microremed/core";

/** Sleeps until a moment of cluster time, ms; one that has passed takes no time. */
export async function sleepUntil(
  clock: Pick<Clock, "now" | "sleep">,
  at: number,
  signal: AbortSignal,
): Promise<void> {
  const left = at - (await clock.now());
  if (left > 0) await clock.sleep(left, signal);
}
