import { createRng, type Rng } from "@microremed/core";
import type { EventLoop } from "@microremed/sim-time";
import { createOtherWriters } from "./other-writers.ts";

/** Everything random in a cluster. */
export interface Chance {
  readonly rng: Rng;
  /** See `createOtherWriters`. */
  readonly othersWrites: () => number;
  /** Empty at first. */
  readonly salt: () => string;
  /** Draws all again from now on, as seed and salt decide. */
  resalt(salt: string): void;
}

/** Goes back with the cluster, its salt included. */
export function createChance(seed: number | string, loop: Pick<EventLoop, "keep" | "now">): Chance {
  const state = loop.keep({ salt: "" });
  const family = {
    keep: loop.keep,
    get salt() {
      return state.salt;
    },
  };
  const rng = createRng(seed, "simcluster", family);
  return {
    rng,
    othersWrites: createOtherWriters(loop, rng.fork("others' writes")),
    salt: () => state.salt,
    resalt(salt) {
      state.salt = salt;
    },
  };
}
