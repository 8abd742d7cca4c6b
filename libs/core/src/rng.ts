import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** A stream of random numbers that its seed decides. */
export interface Rng {
  /** Integer in [0, below). */
  int(below: number): number;
  /** Float in [0, 1) with 32 bits of randomness. */
  float(): number;
  /** One element, each equally likely. Throws on an empty list. */
  pick<T>(items: readonly T[]): T;
  /** An independent stream for a named purpose: drawing from one never shifts the other. */
  fork(purpose: string): Rng;
}

/** What a stream and all its forks have in common. */
export interface RngFamily {
  /** Sees every mutable state: restoring the fields of such an object restores the stream. */
  readonly keep: (state: object) => void;
  /** As soon as this is another text, every stream begins again, as that text says. */
  readonly salt: string;
}

const alone: RngFamily = { keep: () => {}, salt: "" };

/** Same seed and purpose, same numbers, on every machine and version. */
export function createRng(seed: number | string, purpose = "", family: RngFamily = alone): Rng {
  const key = `${seed}/${purpose}`;
  const generator = generatorOf(key);
  const begun = { salt: "" };
  family.keep(generator);
  family.keep(begun);
  const drawn = (from: number, to: number): number => {
    if (begun.salt !== family.salt) {
      begun.salt = family.salt;
      Object.assign(generator, generatorOf(`${family.salt}/${key}`));
    }
    return uniformInt(generator, from, to);
  };
  const int = (below: number): number => drawn(0, below - 1);
  return {
    int,
    float: () => (drawn(0, 0x7fffffff) + 0.5) / 0x80000000,
    pick: (items) => {
      const item = items[items.length === 0 ? 0 : int(items.length)];
      if (item === undefined) throw new RangeError(`nothing to pick from (${purpose || "unnamed"} stream)`);
      return item;
    },
    fork: (name) => createRng(key, name, family),
  };
}

const generatorOf = (key: string): ReturnType<typeof xoroshiro128plus> =>
  xoroshiro128plus(createHash("sha256").update(key).digest().readInt32LE(0));
