import { type Change, isUnclean } from "@microremed/contracts";

const mostNamed = 5;

/**
 * What an arena has otherwise than its record before anything was injected, in words; undefined: nothing. Whatever is
 * there then would count as the fault's own work later, however little traffic shows it. Of pods the cluster itself may
 * change some fields, and what forbids a recovery is seen by the oracle `declared`.
 */
export function unlikeRecord(changes: readonly Change[]): string | undefined {
  const some = changes.filter((change) => isUnclean(change) && !change.object.startsWith("Pod/"));
  if (some.length === 0) return undefined;
  const named = some.slice(0, mostNamed).map(({ object, what, detail }) => {
    return `${object} was ${what}${detail === "" ? "" : ` (${detail})`}`;
  });
  const more = some.length > named.length ? [`and ${some.length - named.length} more`] : [];
  return `the arena is not as it was deployed: ${[...named, ...more].join("; ")}`;
}
