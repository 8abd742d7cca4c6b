/** Cluster time, ms, without any change after which nothing more is expected to happen. */
export const settleMs = 60_000;

export interface Check {
  /** Cluster time, ms. */
  readonly at: number;
  /** Everything that would change if there were still work on the target. */
  readonly shape: string;
  /** The symptom was measured with fresh data and is still there. */
  readonly symptomShows: boolean;
  /**
   * A pod of the target is starting, or the kubelet waits before it starts a crashed container again, up to 300 s: a
   * repaired one may come back yet.
   */
  readonly comesBack: boolean;
  /** The fault's object is still there, the workload is whole, or its pod cannot start: no change is under way. */
  readonly atRest: boolean;
}

/** Says after each check since when the target has been at rest with the symptom; undefined: it has not. */
export function restingSince(
  before: { shape: string; since: number } | undefined,
  check: Check,
): { shape: string; since: number } | undefined {
  if (!check.symptomShows || !check.atRest || check.comesBack) return undefined;
  return before?.shape === check.shape ? before : { shape: check.shape, since: check.at };
}
