import type { Rng } from "@microremed/core";

/** Draws until the likelihood of what is common is known well enough, and of what is rare. */
const firstDraws = 200;
const mostDraws = 10_000;
const isCommon = 0.05;

/**
 * How likely a statistic is at least as large as the one that was seen, where `draw` gives it by chance (Monte Carlo; what
 * was seen counts as one draw, so it is never 0).
 */
export function howLikely(seen: number, draw: () => number): number {
  let asLarge = 1;
  for (let drawn = 1; ; drawn++) {
    if (draw() >= seen - 1e-9) asLarge++;
    const likely = asLarge / (drawn + 1);
    if (drawn >= mostDraws || (drawn >= firstDraws && likely > isCommon)) return likely;
  }
}

/** One item: what is predicted by, what is predicted, and the stratum within which chance may exchange what is predicted. */
export interface Pair {
  readonly by: string;
  readonly predicted: string;
  readonly within: string;
}

/** How likely `by` predicts so much about `predicted` by chance. */
export function howLikelyPredicted(pairs: readonly Pair[], rng: Rng): number {
  const by = numbered(pairs.map((pair) => pair.by));
  const predicted = numbered(pairs.map((pair) => pair.predicted));
  const strata = [...Map.groupBy(pairs.keys(), (i) => pairs[i]?.within ?? "").values()];
  const association = associationOf(by, predicted);
  return howLikely(association(), () => {
    for (const members of strata) exchange(predicted.values, members, rng);
    return association();
  });
}

/** Values as numbers from 0, and how often each is there. Numbers, since they are counted tens of thousands of times. */
interface Numbered {
  readonly values: Uint16Array;
  readonly sizes: readonly number[];
}

function numbered(values: readonly string[]): Numbered {
  const groups = Map.groupBy(values, (value) => value);
  const numbers = new Map([...groups.keys()].map((value, number) => [value, number]));
  return {
    values: Uint16Array.from(values, (value) => numbers.get(value) ?? 0),
    sizes: [...groups.values()].map(({ length }) => length),
  };
}

/** Pearson's chi-square of the two as they are now, but for a factor and a sum that no exchange changes. */
function associationOf(by: Numbered, predicted: Numbered): () => number {
  const width = predicted.sizes.length;
  const counts = new Uint16Array(by.sizes.length * width);
  const weights = by.sizes.flatMap((row) => predicted.sizes.map((column) => 1 / (row * column)));
  return () => {
    counts.fill(0);
    by.values.forEach((row, i) => {
      const cell = row * width + (predicted.values[i] ?? 0);
      counts[cell] = (counts[cell] ?? 0) + 1;
    });
    let sum = 0;
    for (const [cell, weight] of weights.entries()) sum += (counts[cell] ?? 0) ** 2 * weight;
    return sum;
  };
}

/** Fisher and Yates. */
function exchange(values: Uint16Array, members: readonly number[], rng: Rng): void {
  for (let last = members.length - 1; last > 0; last--) {
    const a = members[last] ?? 0;
    const b = members[rng.int(last + 1)] ?? 0;
    const kept = values[a] ?? 0;
    values[a] = values[b] ?? 0;
    values[b] = kept;
  }
}

/** Right answers of who answers with what is most frequent under each value of `by`. */
export function rightByLookup(pairs: readonly Pair[]): number {
  const groups = [...Map.groupBy(pairs, ({ by }) => by).values()];
  return groups.reduce((sum, group) => {
    const sizes = [...Map.groupBy(group, ({ predicted }) => predicted).values()].map(({ length }) => length);
    return sum + Math.max(...sizes);
  }, 0);
}
