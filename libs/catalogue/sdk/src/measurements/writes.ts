/** Writes to each pod's data mount in one check. */
export const writeCount = 12;

/** Synchronous writes of 1 MiB each to the target's data mount in one pod. */
export interface WriteReading {
  readonly pod: string;
  /** Something is mounted there in the pod's own spec. */
  readonly mounted: boolean;
  /** Seconds of each write that dd reported; fewer than writeCount: it failed or was stopped as too slow. */
  readonly seconds: readonly number[];
  /** Null: the command could not be run. */
  readonly exitCode: number | null;
  readonly error: string;
}
