import type { EpisodeRecord, Outcome } from "@microremed/contracts";
import { addUsage, noUsage } from "@microremed/contracts";

/** One episode as a report shows it. */
export interface EpisodeRow {
  readonly id: string;
  readonly index: number;
  readonly failure: string;
  readonly target: string;
  /** `null`: still running. */
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly attempts: number;
  /** Wall clock from the arena's lease to the verdict, all of the harness's work included. */
  readonly seconds: number;
  /** Wall clock of the method alone: model calls, playbooks and the verifications between attempts. */
  readonly remediationSeconds: number;
  /** Prompt and completion tokens as the provider counted them. */
  readonly tokens: number;
  /** MicroRemed's estimate, characters / 4. */
  readonly estimatedTokens: number;
  readonly probes: number;
  /** Tries of the harness: more than 1 means that a harness error was retried on a fresh arena. */
  readonly trials: number;
  readonly cluster: string | null;
  readonly errorCode: string | null;
}

const methodStages: readonly string[] = ["remediate", "execute", "verify"];

export function episodeRow(record: EpisodeRecord): EpisodeRow {
  const usage = record.attempts.map((attempt) => attempt.usage).reduce(addUsage, noUsage);
  return {
    id: record.id,
    index: record.index,
    failure: record.failure,
    target: record.target,
    outcome: record.outcome,
    reason: record.reason,
    attempts: record.attempts.length,
    seconds: secondsToVerdict(record),
    remediationSeconds: record.timings
      .filter((timing) => timing.trial === record.trial && methodStages.includes(timing.stage))
      .reduce((sum, timing) => sum + seconds(timing.startedAt, timing.endedAt), 0),
    tokens: usage.promptTokens + usage.completionTokens,
    estimatedTokens: usage.estimatedTokens,
    probes: record.attempts.reduce((sum, attempt) => sum + attempt.probes, 0),
    trials: record.trial,
    cluster: record.arena?.cluster ?? null,
    errorCode: record.error?.code ?? null,
  };
}

/** From the first stage of the episode to the end of the last one before the restore. */
function secondsToVerdict(record: EpisodeRecord): number {
  const judged = record.timings.filter((timing) => timing.stage !== "restore");
  const first = judged[0];
  const last = judged.at(-1);
  return first && last ? seconds(first.startedAt, last.endedAt) : 0;
}

function seconds(startedAt: number, endedAt: number | null): number {
  return endedAt === null ? 0 : Math.max(0, (endedAt - startedAt) / 1000);
}
