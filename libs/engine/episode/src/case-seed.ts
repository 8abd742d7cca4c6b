import type { EpisodeRecord } from "@microremed/contracts";

/** Draws are the same for every model and method that is tried on a case. */
export function caseSeed({ caseId, repeat }: Pick<EpisodeRecord, "caseId" | "repeat">): string {
  return `${caseId}/${repeat}`;
}
