/** Delay before the next try after `failures` failures in a row, ms: 5 ms doubled each time, at most 1000 s. */
export function backoffMs(failures: number): number {
  return Math.min(5 * 2 ** Math.min(failures - 1, 30), 1_000_000);
}
