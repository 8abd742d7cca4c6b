import type { Rng } from "@microremed/core";

/** Hands out one of the values: each as often as any other, in a drawn order. One bag for each name. */
export type Deal = <T>(name: string, values: readonly T[]) => T;

/**
 * Bags of values. Each is emptied before it is filled again, and is shuffled by itself, so that what comes of one says
 * nothing about what comes of another. A bag's values must stay the same. Throws a RangeError where there are none.
 */
export function createBags(rng: Rng): Deal {
  const bags = new Map<string, { readonly rng: Rng; left: number[] }>();
  return (name, values) => {
    const bag = bags.get(name) ?? { rng: rng.fork(name), left: [] };
    bags.set(name, bag);
    if (bag.left.length === 0) bag.left = shuffled([...values.keys()], bag.rng);
    const value = values[bag.left.pop() ?? -1];
    if (value === undefined) throw new RangeError(`nothing to draw from: ${name}`);
    return value;
  };
}

/** The items in a drawn order, each order equally likely. */
export function shuffled<T>(items: readonly T[], rng: Rng): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(rng.int(left.length), 1));
}
