import type { KubeObject } from "@microremed/cluster";
import { isSame } from "./difference.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";
import type { ArenaRecord } from "./record.ts";

/** What an arena is to hold, where each object of a fault's setting that is right in another way, too, may be as it is now. */
export function withAlternatives(
  { alternatives = [] }: Pick<ArenaRecord, "alternatives">,
  wanted: readonly KubeObject[],
  live: readonly KubeObject[],
): readonly KubeObject[] {
  if (alternatives.length === 0) return wanted;
  const now = new Map(live.map((object) => [identityOf(object), object]));
  const taken = alternatives.filter((object) => {
    const present = now.get(identityOf(object));
    return present !== undefined && isSame(object, normalise(present));
  });
  const instead = new Map(taken.map((object) => [identityOf(object), object]));
  return wanted.map((object) => instead.get(identityOf(object)) ?? object);
}
