/**
 * Two-sided exact McNemar test of two paired sets of outcomes (McNemar 1947; exact: the sign test on the discordant
 * pairs): the chance of a split at least as uneven as this when neither side is better. `onlyA`: pairs in which only A
 * succeeded. 1 when there are no discordant pairs.
 */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const pairs = onlyA + onlyB;
  // Terms C(n, i) / 2^n in logarithms, each from the one before: no factorial, nothing over- or underflows on the way.
  let logTerm = -pairs * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let i = 1; i <= Math.min(onlyA, onlyB); i++) {
    logTerm += Math.log((pairs - i + 1) / i);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}
