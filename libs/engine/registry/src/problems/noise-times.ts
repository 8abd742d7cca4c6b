import type { IncidentFault } from "@microremed/catalogue";
import { Watch } from "@microremed/contracts";
import type { Rng } from "@microremed/core";
import type { Pool } from "./pool.ts";

/** A noise that is no time at all after the first fault counts as before it, s. */
export const instant = 1;

/** When noises may come, s from the first fault to them: `drawn` is as long ago as anything. */
export interface Times {
  /** From the last fault to the question. */
  readonly askedAfter: number;
  /** From the first fault to the last one. */
  readonly span: number;
  /** How long before the question anything is, s. */
  readonly soonest: number;
  readonly latest: number;
  drawn(): number;
  /** In a watch: before it. */
  earlier(): number;
  /** When a fault would be that comes so long after the first one. */
  ofFault(at: number): number;
}

/**
 * What is harmless is as long ago as the last fault when the agent is asked, earlier or later. In a watch noises come at any
 * time of it, and what is in the place of a fault in the first third of a window, as a fault does.
 */
export function timesOf(
  { pool }: Pick<Pool, "pool">,
  faults: readonly IncidentFault[],
  isWatch: boolean,
  rng: Rng,
): Times {
  const [soonest, latest] = pool.ago;
  const within = (from: number, to: number): number => from + rng.int(Math.max(0, to - from) + 1);
  const age = (): number => within(soonest, latest);
  if (isWatch) {
    const { windows, windowSeconds } = pool.watch ?? Watch.parse({});
    return {
      ...{ askedAfter: 0, span: 0, soonest, latest },
      drawn: () => -within(1, windows * windowSeconds - 1),
      earlier: age,
      ofFault: () => -(rng.int(windows) * windowSeconds + within(1, Math.floor(windowSeconds / 3))),
    };
  }
  const askedAfter = age();
  const span = faults.reduce(
    (last, { at, after }) => (after === undefined ? Math.max(last, at) : last + at),
    0,
  );
  return {
    ...{ askedAfter, span, soonest, latest },
    drawn: () => age() - askedAfter - span,
    earlier: age,
    ofFault: (at) => -at - instant,
  };
}
