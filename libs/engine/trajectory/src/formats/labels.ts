import { type EpisodeDocument, environmentOf, taskOf } from "@microremed/contracts";
import { incidentText } from "@microremed/scoring";

/** What distinguishes one exported trajectory from another. */
export function labelsOf(document: EpisodeDocument) {
  const { id, caseId, failure, target, problem, model, method, repeat, outcome, request } = document;
  return {
    id,
    caseId,
    environment: environmentOf(document, request),
    failure,
    target,
    ...(problem && { problem: problem.id, incident: incidentText(document) }),
    task: taskOf(document),
    model,
    method,
    repeat,
    outcome,
  };
}
