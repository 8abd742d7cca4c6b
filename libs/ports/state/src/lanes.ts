/**
 * An experiment's models wait in lanes of one ordered set, so that the first of each lane is found at once. The plan lets
 * the model change fastest, so an index gives its lane.
 */
const laneSpan = 2 ** 32;

/** The lane of the episode with this index, from 0: one of `lanes`, one for each model. */
export function laneOf(index: number, lanes: number): number {
  return index % lanes;
}

/** Where an episode waits. */
export function pendingScore(index: number, lanes: number): number {
  return laneOf(index, lanes) * laneSpan + index;
}

/** The scores of a lane: from `from` on, below `below`. */
export function boundsOf(lane: number): { readonly from: number; readonly below: number } {
  return { from: lane * laneSpan, below: (lane + 1) * laneSpan };
}
