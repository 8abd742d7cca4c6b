type Seconds = number | readonly [number, number];

/** How long a fault acts and rests, as an author writes it or as it was drawn, s. */
export interface Flapping {
  readonly onSeconds: Seconds;
  readonly offSeconds: Seconds;
}

const inWords = (seconds: Seconds): string =>
  typeof seconds === "number" ? `${seconds} s` : `${seconds[0]} to ${seconds[1]} s`;

/** That a fault comes and goes, in words. */
export function flappingText({ onSeconds, offSeconds }: Flapping): string {
  return `it comes and goes: it acts for ${inWords(onSeconds)} and rests for ${inWords(offSeconds)}, in turn`;
}
