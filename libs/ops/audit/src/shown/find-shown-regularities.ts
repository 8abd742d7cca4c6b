import { createRng, type Rng } from "@microremed/core";
import { howLikely } from "../regularities/how-likely.ts";
import type { ShownChange, ShownProblem } from "./shown-change.ts";

/** Something in a change log that says what is wrong, whatever the changes are. */
export interface ShownRegularity {
  readonly by: string;
  readonly predicted: string;
  /** How likely it is by chance. */
  readonly likely: number;
  /** What it comes to, in words. */
  readonly words: string;
}

/** Likelihood of a false finding among all that is asked. */
const level = 0.05;

type Feature = (shown: ShownProblem) => number | undefined;

const kinds = ["rollout", "config", "scale", "created"];

/** What of a change log can be counted and measured without reading a value; undefined: the problem does not have it. */
const features: ReadonlyMap<string, Feature> = new Map<string, Feature>([
  ["number of changes", ({ changes }) => changes.length],
  ["age of the newest change", ({ changes }) => changes[0]?.age],
  ["age of the oldest change", ({ changes }) => changes.at(-1)?.age],
  ["number of replaced values", ({ changes }) => changes.filter(({ isReplaced }) => isReplaced).length],
  ["age of the newest replaced value", ({ changes }) => changes.find(({ isReplaced }) => isReplaced)?.age],
  ...kinds.map((kind): [string, Feature] => [
    `number of changes of the kind ${kind}`,
    ({ changes }) => changes.filter((one) => one.kind === kind).length,
  ]),
  ["length of the change log", ({ size }) => size],
]);

/** Names a changed object by when it was changed; undefined: the log has none such. The latest change is the first one. */
type Place = (changes: readonly ShownChange[]) => string | undefined;

/** Changes so far apart are as two of one hand, s. */
const together = 1;

const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ["the newest change", (changes) => changes[0]?.object],
  ["the oldest change", (changes) => changes.at(-1)?.object],
  [
    "the object that was left alone for longest",
    (changes) =>
      changes.findLast(({ object }, i) => changes.findIndex((one) => one.object === object) === i)?.object,
  ],
  [
    "the earlier of two changes together",
    (changes) =>
      changes.find((one, i) => {
        const next = changes[i - 1];
        return next !== undefined && next.object !== one.object && one.age - next.age === together;
      })?.object,
  ],
]);

/**
 * What the ages, the kinds and the number of the changes that agents are shown predict, more than chance does: whether
 * anything is wrong, and where. A change is to be read, and judged by what it does; when it was must not say it. Problems are compared
 * within an environment, with a fixed seed.
 */
export function findShownRegularities(problems: readonly ShownProblem[]): ShownRegularity[] {
  const rng = createRng("shown", String(problems.length));
  const found = [
    ...[...features].map(([name, feature]) => healthBy(name, feature, problems, rng.fork(name))),
    ...[...places].map(([name, place]) => placeBy(name, place, problems, rng.fork(name))),
  ];
  return found.filter(({ likely }) => likely < level / found.length);
}

/** Whether faulty problems have another rank among all than healthy ones, on either side (Mann and Whitney's statistic). */
function healthBy(
  by: string,
  feature: Feature,
  problems: readonly ShownProblem[],
  rng: Rng,
): ShownRegularity {
  const strata = [...Map.groupBy(problems, ({ environment }) => environment).values()].map((some) =>
    some.flatMap((shown) => {
      const value = feature(shown);
      return value === undefined ? [] : [{ value, isFaulty: shown.isFaulty }];
    }),
  );
  const ranked = strata.map((some) => ({ ranks: ranksOf(some.map(({ value }) => value)), some }));
  const labels = ranked.map(({ some }) => some.map(({ isFaulty }) => isFaulty));
  const apart = (of: readonly (readonly boolean[])[]): number =>
    Math.abs(
      ranked.reduce((sum, { ranks }, i) => {
        const own = of[i] ?? [];
        const middle = (ranks.length + 1) / 2;
        return sum + ranks.reduce((all, rank, n) => (own[n] ? all + rank - middle : all), 0);
      }, 0),
    );
  const faulty = strata.flat().flatMap((one) => (one.isFaulty ? [one.value] : []));
  const healthy = strata.flat().flatMap((one) => (one.isFaulty ? [] : [one.value]));
  return {
    ...{ by, predicted: "whether anything is wrong" },
    likely: howLikely(apart(labels), () => apart(labels.map((some) => mixed(some, rng)))),
    words: `median ${medianOf(faulty)} with a fault (${faulty.length}), ${medianOf(healthy)} without (${healthy.length})`,
  };
}

/** Whether one of several changed objects is the incident's more often than any of them. */
function placeBy(by: string, place: Place, problems: readonly ShownProblem[], rng: Rng): ShownRegularity {
  const several = problems.flatMap(({ changes, wrong }) => {
    const objects = [...new Set(changes.map(({ object }) => object))];
    const own = objects.filter((object) => wrong.includes(object)).length;
    const said = place(changes);
    return said !== undefined && own > 0 && own < objects.length
      ? [{ isRight: wrong.includes(said), share: own / objects.length }]
      : [];
  });
  const expected = several.reduce((sum, { share }) => sum + share, 0);
  const right = several.filter(({ isRight }) => isRight).length;
  return {
    ...{ by, predicted: "where the fault is" },
    likely: howLikely(Math.abs(right - expected), () =>
      Math.abs(several.filter(({ share }) => rng.float() < share).length - expected),
    ),
    words: `it is the incident's in ${right} of ${several.length}, in ${expected.toFixed(1)} by chance`,
  };
}

/** Ranks from 1; equal values have their mean. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2 + 1);
}

function mixed<T>(items: readonly T[], rng: Rng): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(rng.int(left.length), 1));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
