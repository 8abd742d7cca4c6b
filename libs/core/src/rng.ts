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

/**
 * Same seed and purpose, same numbers, on every machine and version. `keep` sees the mutable state of this stream and of
 * all its forks: restoring the fields of such an object restores the stream.
 */
export function createRng(
  seed: number | string,
  purpose = "",
  keep: (state: object) => void = () => {},
): Rng {
  const key = `${seed}/${purpose}`;
  const digest = createHash("sha256").update(key).digest();
  const generator = xoroshiro128plus(digest.readInt32LE(0));
  keep(generator);
  const int = (below: number): number => uniformInt(generator, 0, below - 1);
  return {
    int,
    float: () => (uniformInt(generator, 0, 0x7fffffff) + 0.5) / 0x80000000,
    pick: (items) => {
      const item = items[items.length === 0 ? 0 : int(items.length)];
      if (item === undefined) throw new RangeError(`nothing to pick from (${purpose || "unnamed"} stream)`);
      return item;
    },
    fork: (name) => createRng(key, name, keep),
  };
}
