/**
 * How far the ranks of two groups of numbers lie apart, in standard deviations of what chance makes of them (Mann and
 * Whitney, with ties). 0 where all numbers are the same.
 */
export function rankDifference(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const rank = (value: number): number => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1;
  const [n, m] = [one.length, other.length];
  const sum = one.reduce((total, value) => total + rank(value), 0);
  const ties = [...Map.groupBy(all, (value) => value).values()].map(({ length }) => length ** 3 - length);
  const tied = ties.reduce((total, each) => total + each, 0) / ((n + m) * (n + m - 1));
  const variance = ((n * m) / 12) * (n + m + 1 - tied);
  return variance === 0 ? 0 : Math.abs(sum - (n * (n + m + 1)) / 2) / Math.sqrt(variance);
}
