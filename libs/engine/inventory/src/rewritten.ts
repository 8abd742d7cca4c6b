import type { KubeObject } from "@microremed/cluster";
import { isSame } from "./difference.ts";
import { identityOf } from "./inventory.ts";
import { normalise } from "./normalise.ts";
import type { ArenaRecord } from "./record.ts";

/**
 * The objects of an arena without those that programs of a fault's setting delete and write again, as they write them. One of
 * their names that is in any way otherwise is compared as any other object.
 */
export function withoutRewritten(
  { rewritten = [] }: Pick<ArenaRecord, "rewritten">,
  objects: readonly KubeObject[],
): readonly KubeObject[] {
  const known = new Map(rewritten.map((object) => [identityOf(object), object]));
  return objects.filter((object) => {
    const written = known.get(identityOf(object));
    return written === undefined || !isSame(written, normalise(object));
  });
}
