import { createHash, createHmac } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus, xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

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

/**
 * Same seed and purpose, same numbers, on every machine and version. Its state is made from 32 bits: who sees some numbers can search
 * for the seed.
 */
export function createRng(seed: number | string, purpose = "", family: RngFamily = alone): Rng {
  return createStream(`${seed}/${purpose}`, family, generatorOf);
}

/**
 * Same key and purpose, same numbers. They do not show the purpose to those who do not know the key: it is mixed in by HMAC-SHA256,
 * and the state has 128 bits.
 */
export function createSecretRng(key: string, purpose: string): Rng {
  return createStream(purpose, alone, (text) => {
    const digest = createHmac("sha256", key).update(text).digest();
    return xoroshiro128plusFromState([0, 4, 8, 12].map((at) => digest.readInt32LE(at)));
  });
}

function createStream(
  key: string,
  family: RngFamily,
  generatorOf: (key: string) => ReturnType<typeof xoroshiro128plus>,
): Rng {
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
      if (item === undefined) throw new RangeError("nothing to pick from: the list is empty");
      return item;
    },
    fork: (name) => createStream(`${key}/${name}`, family, generatorOf),
  };
}

const generatorOf = (key: string): ReturnType<typeof xoroshiro128plus> =>
  xoroshiro128plus(createHash("sha256").update(key).digest().readInt32LE(0));
