import { noticesTooLate, type ProbeTimes } from "@microremed/catalogue";

/** A probe's period, s, with `more` seconds added, or as many of them as leave failures noticed in time. */
export function longerPeriod(probe: ProbeTimes, more: number): number {
  const { periodSeconds: own = 10 } = probe;
  let period = own + more;
  while (period > own && noticesTooLate(probe, { ...probe, periodSeconds: period })) period--;
  return period;
}
