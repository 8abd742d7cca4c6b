import { createRng } from "@microremed/core";

let now = 0;

/** The time from now on, ms since 1970. */
export const setTime = (at: number): void => {
  now = at;
};

/**
 * Gives this thread the time that is set and numbers that follow from it and the script, in the place of the machine's: `date`
 * and `$RANDOM` of the same run print the same, and `date` what the cluster's events say.
 */
export function useClusterTime(script: string, at: number): void {
  setTime(at);
  const rng = createRng(`${at} ${script}`, "random numbers of a script");
  Math.random = () => rng.float();
  globalThis.Date = ClusterDate as DateConstructor;
}

const RealDate = Date;

class ClusterDate extends RealDate {
  constructor(...given: ConstructorParameters<DateConstructor> | []) {
    if (given.length === 0) super(now);
    else super(...given);
  }

  static override now(): number {
    return now;
  }
}
