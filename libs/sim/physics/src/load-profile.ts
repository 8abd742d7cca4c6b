import { createRng } from "@microremed/core";
import type { LoadSpec } from "@microremed/environments";

/** How much of its mean rate a load has at a moment of cluster time. A pure function of seed, salt, place and time. */
export type LoadProfile = (load: LoadSpec, namespace: string, now: number) => number;

const daySeconds = 86_400;

/**
 * A sine over the day, and bursts: in every window of `everySeconds` one that starts at a moment drawn from the seed, so
 * that the time of the last one need not be stored. With another `salt` the bursts and the time of the day are others.
 */
export function createLoadProfile(seed: number | string, salt = (): string => ""): LoadProfile {
  /** Start of the burst within its window, s; drawing it again in every tick would cost more than the tick. */
  const starts = new Map<string, number>();
  let day = { salt: "", shift: 0 };

  /** Seconds by which the day of a cluster that was given a salt is ahead. */
  function dayShift(): number {
    const now = salt();
    if (day.salt !== now) day = { salt: now, shift: createRng(seed, `${now}/day`).float() * daySeconds };
    return day.shift;
  }

  function burstStart(namespace: string, window: number, room: number): number {
    const key = `${salt()}/${namespace}/${window}`;
    const known = starts.get(key);
    if (known !== undefined) return known;
    if (starts.size > 1000) starts.clear();
    const drawn = createRng(seed, `burst/${key}`).float() * Math.max(0, room);
    starts.set(key, drawn);
    return drawn;
  }

  return ({ diurnal, bursts }, namespace, now) => {
    const seconds = now / 1000;
    let factor = 1;
    if (diurnal) {
      const { amplitude, periodSeconds, peakAtSeconds } = diurnal;
      factor *=
        1 + amplitude * Math.cos((2 * Math.PI * (seconds + dayShift() - peakAtSeconds)) / periodSeconds);
    }
    if (bursts) {
      const { everySeconds, durationSeconds, factor: height } = bursts;
      const window = Math.floor(seconds / everySeconds);
      const since = seconds - window * everySeconds;
      const start = burstStart(namespace, window, everySeconds - durationSeconds);
      if (since >= start && since < start + durationSeconds) factor *= height;
    }
    return factor;
  };
}
