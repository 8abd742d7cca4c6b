import type { Store } from "@microremed/sim-store";
import type { PumpedEventLoop } from "@microremed/sim-time";

/** A moment of one cluster. */
export interface Snapshot {
  /** Cluster time, ms since the epoch. */
  readonly takenAt: number;
  readonly resourceVersion: number;
}

/** Takes moments of a cluster and goes back to them. */
export interface Moments {
  snapshot(): Snapshot;
  restore(moment: Snapshot): void;
}

export function createMoments(loop: PumpedEventLoop, store: Store): Moments {
  const moments = new WeakMap<Snapshot, () => void>();
  return {
    snapshot() {
      const objects = store.snapshot();
      const goBack = loop.save();
      const taken: Snapshot = { takenAt: loop.now(), resourceVersion: objects.resourceVersion };
      moments.set(taken, () => {
        store.restore(objects);
        goBack();
      });
      return taken;
    },
    restore(moment) {
      const goBack = moments.get(moment);
      if (!goBack) throw new RangeError("the snapshot was taken of another cluster");
      goBack();
    },
  };
}
