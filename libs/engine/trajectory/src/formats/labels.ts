import { type EpisodeDocument, environmentOf } from "@microremed/contracts";

/** What distinguishes one exported trajectory from another. */
export function labelsOf(document: EpisodeDocument) {
  const { id, caseId, failure, target, model, method, repeat, outcome, request } = document;
  return {
    id,
    caseId,
    environment: environmentOf(document, request),
    failure,
    target,
    model,
    method,
    repeat,
    outcome,
  };
}
