import type { EpisodeRecord } from "@microremed/contracts";

/**
 * Draws are the same for every model and method that is tried on a case. A trial after one in which the agent had been given
 * something has draws of its own, of the same distributions: what was seen there is of no use.
 */
export function caseSeed({
  caseId,
  repeat,
  earlier = [],
}: Pick<EpisodeRecord, "caseId" | "repeat" | "earlier">): string {
  return [caseId, repeat, ...(earlier.length > 0 ? [`again ${earlier.length}`] : [])].join("/");
}
