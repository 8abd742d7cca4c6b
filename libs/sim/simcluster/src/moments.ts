import type { ServiceAccountTokens } from "@microremed/sim-apiserver";
import type { Store } from "@microremed/sim-store";
import type { PumpedEventLoop } from "@microremed/sim-time";
import type { Chance } from "./chance.ts";

/** A moment of one cluster. */
export interface Snapshot {
  /** Cluster time, ms since the epoch. */
  readonly takenAt: number;
  readonly resourceVersion: number;
}

interface MomentsDeps {
  readonly loop: PumpedEventLoop;
  readonly store: Store;
  readonly chance: Chance;
  readonly keys: ServiceAccountTokens["keys"];
}

/** Takes moments of a cluster and goes back to them. */
export interface Moments {
  snapshot(): Snapshot;
  /** With a salt, everything random is drawn again from then on. */
  restore(moment: Snapshot, salt?: string): void;
}

export function createMoments({ loop, store, chance, keys }: MomentsDeps): Moments {
  const moments = new WeakMap<Snapshot, () => void>();
  return {
    snapshot() {
      const objects = store.snapshot();
      const goBack = loop.save();
      const putBackKeys = keys.save(loop.now());
      const taken: Snapshot = { takenAt: loop.now(), resourceVersion: objects.resourceVersion };
      moments.set(taken, () => {
        store.restore(objects);
        goBack();
        putBackKeys();
      });
      return taken;
    },
    restore(moment, salt) {
      const goBack = moments.get(moment);
      if (!goBack) throw new RangeError("the snapshot was taken of another cluster");
      goBack();
      if (salt !== undefined) chance.resalt(salt);
    },
  };
}
