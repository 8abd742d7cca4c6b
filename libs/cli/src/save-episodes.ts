import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation, EpisodeRecord, ExperimentRecord } from "@microremed/contracts";
import { episodeRow } from "@microremed/report";

/**
 * One episode as MicroRemed stores it (`metadata` and `conversation`), plus what explains the verdict: the injection's
 * proof, every attempt with its playbook, Ansible's output and the oracles' measurements, and the stages' times.
 */
function episodeDocument(experiment: ExperimentRecord, record: EpisodeRecord, conversation: Conversation) {
  const row = episodeRow(record);
  return {
    metadata: {
      experimentId: experiment.id,
      episodeId: record.id,
      service: record.target,
      failure: record.failure,
      environment: experiment.request.environment,
      namespace: record.arena?.namespace ?? null,
      method: record.method,
      model: record.model,
      seed: experiment.request.seed,
      caseId: record.caseId,
      repeat: record.repeat,
      outcome: record.outcome,
      success: record.outcome === "remediated",
      reason: record.reason,
      attempts: row.attempts,
      seconds: row.seconds,
      remediationSeconds: row.remediationSeconds,
      tokens: row.tokens,
      estimatedTokens: row.estimatedTokens,
    },
    conversation,
    baseline: record.baseline,
    injection: record.injection,
    attempts: record.attempts,
    timings: record.timings,
    redraws: record.redraws,
    restored: record.restored,
    damage: record.damage,
    error: record.error,
  };
}

/** Writes `<directory>/<index>_<service>_<failure>.json` for one episode and returns the path. */
export async function saveEpisode(
  directory: string,
  experiment: ExperimentRecord,
  record: EpisodeRecord,
  conversation: Conversation,
): Promise<string> {
  await mkdir(directory, { recursive: true });
  const name = `${String(record.index).padStart(4, "0")}_${record.target}_${record.failure}.json`;
  const path = join(directory, name.replaceAll(/[^\w.-]/g, "_"));
  await writeFile(path, `${JSON.stringify(episodeDocument(experiment, record, conversation), null, 2)}\n`);
  return path;
}
