import {
  type Conversation,
  drawsKeyOf,
  type EpisodeDocument,
  type EpisodeRecord,
  type ExperimentRecord,
  environmentOf,
  isPassed,
} from "@microremed/contracts";
import { episodeRow } from "@microremed/scoring";

/** One episode as it is stored: under MicroRemed's names in `metadata`, and everything that explains the verdict. */
export function episodeDocument(
  experiment: ExperimentRecord,
  record: EpisodeRecord,
  conversation: Conversation,
): EpisodeDocument {
  const row = episodeRow(record);
  const metadata = {
    harnessVersion: experiment.harnessVersion,
    range: experiment.range,
    experimentId: experiment.id,
    episodeId: record.id,
    service: record.target,
    failure: record.failure,
    incident: row.incident,
    environment: environmentOf(record, experiment.request),
    ...(record.problem && { problem: record.problem.id }),
    namespace: record.arena?.namespace ?? null,
    method: record.method,
    model: record.model,
    seed: experiment.request.seed,
    caseId: record.caseId,
    repeat: record.repeat,
    ...(record.task !== undefined && { task: record.task }),
    outcome: record.outcome,
    success: isPassed(record.outcome),
    reason: record.reason,
    attempts: row.attempts,
    seconds: row.seconds,
    remediationSeconds: row.remediationSeconds,
    tokens: row.tokens,
    estimatedTokens: row.estimatedTokens,
  };
  // Its agent's code draws the same again by this key.
  const request = { ...experiment.request, agentSeed: drawsKeyOf(experiment) };
  return { metadata, request, ...record, conversation };
}
