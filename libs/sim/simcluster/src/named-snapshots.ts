import type { Snapshot } from "./moments.ts";
import type { World } from "./world.ts";

/** The name of the snapshot that stays: the cluster as it was when it began. */
export const firstSnapshot = "start";

/** How many at once. More would keep too many past states alive; the one that was taken first goes first. */
const most = 32;

/** A cluster's snapshots by name. */
export interface NamedSnapshots {
  /** In the order in which they were taken. */
  list(): readonly (Snapshot & { readonly name: string })[];
  /** Takes one; the one of that name before is forgotten. The first `start` stays. */
  take(name: string): Snapshot;
  /** Goes back; with a salt, everything random is drawn again from then on. Undefined: there is none of that name. */
  restore(name: string, salt?: string): Snapshot | undefined;
  /** How often the cluster was put back. */
  restores(): number;
}

export function createNamedSnapshots({
  snapshot,
  restore,
  store,
}: Pick<World, "snapshot" | "restore" | "store">): NamedSnapshots {
  const taken = new Map<string, Snapshot>();
  return {
    list: () => [...taken].map(([name, one]) => ({ name, ...one })),
    take(name) {
      const first = taken.get(firstSnapshot);
      if (name === firstSnapshot && first) return first;
      const now = snapshot();
      taken.delete(name);
      taken.set(name, now);
      const oldest = taken.keys().find((one) => one !== firstSnapshot);
      if (taken.size > most && oldest !== undefined) taken.delete(oldest);
      return now;
    },
    restore(name, salt) {
      const one = taken.get(name);
      if (one) restore(one, salt);
      return one;
    },
    restores: () => store.restores,
  };
}
