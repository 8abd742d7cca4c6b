import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import { type JudgedRun, judgedRun } from "./judged-run.ts";
import type { AuditRun } from "./plan-audit.ts";
import type { ResultsFile, StoredResult } from "./results-file.ts";

/** Runs an experiment of one episode to its end; undefined: its episode is unknown. */
export type RunEpisode = (
  request: ExperimentRequestInput,
  run: AuditRun,
) => Promise<EpisodeRecord | undefined>;

export interface AuditOptions {
  /** Episodes at once. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** After each run; `why` when no judge could say anything. */
  readonly progress: (done: number, run: AuditRun, why: string | undefined) => void;
  /** Cluster time after a recovery before everything is checked again, s. */
  readonly soakSeconds: number;
  /** Runs that it holds are not made again, and those that end are added. */
  readonly results?: ResultsFile | undefined;
}

/** Every run of an audit, by whether it got a verdict. */
export interface AuditOutcome {
  readonly judged: readonly JudgedRun[];
  /** Runs that no judge saw, and why. */
  readonly unjudged: readonly { readonly run: AuditRun; readonly why: string }[];
}

/**
 * Runs each as an experiment of one episode, by the same services as any other, so many at once. When the signal is
 * aborted, the outcome is what had ended until then, now or in the results of an earlier audit.
 */
export async function runAudit(
  runEpisode: RunEpisode,
  runs: readonly AuditRun[],
  { parallel, signal, progress, soakSeconds, results }: AuditOptions,
): Promise<AuditOutcome> {
  const judged: JudgedRun[] = [];
  const unjudged: { run: AuditRun; why: string }[] = [];
  const queue = runs.values();
  let done = 0;
  const note = (run: AuditRun, result: JudgedRun | string): void => {
    if (typeof result === "string") unjudged.push({ run, why: result });
    else judged.push(result);
    done++;
    progress(done, run, typeof result === "string" ? result : undefined);
  };
  const work = async (): Promise<void> => {
    for (const run of queue) {
      const known = results?.find(run);
      if (known) {
        note(run, fromStored(run, known));
        continue;
      }
      if (signal.aborted) continue;
      const episode = await runEpisode(requestOf(run, soakSeconds), run).catch((error: unknown) => {
        if (!signal.aborted) throw error;
        return undefined;
      });
      if (signal.aborted) continue;
      const result = judgedRun(run, episode);
      await results?.add(run, toStored(result));
      note(run, result);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return { judged, unjudged };
}

function toStored(result: JudgedRun | string): StoredResult {
  if (typeof result === "string") return { strict: null, clean: null, microremed: null, reason: result };
  const { strict, clean, microremed, reason } = result;
  return { strict, clean, microremed, reason };
}

function fromStored(run: AuditRun, { strict, clean, microremed, reason }: StoredResult): JudgedRun | string {
  return strict === null ? reason : { run, strict, clean, microremed, reason };
}

/** The method Human runs the playbook that the request carries; the model is named and never asked. */
function requestOf(run: AuditRun, soakSeconds: number): ExperimentRequestInput {
  const { environment, failure, target, seed, playbook, concealment, persistence, playbookSeconds } = run;
  return {
    environment,
    model: "reference/noop",
    method: "Human",
    failures: [failure],
    target,
    seed,
    playbook,
    concealment,
    persistence,
    soakSeconds,
    policy: "open",
    maxAttempts: 1,
    maxParallel: 1,
    ...(playbookSeconds !== undefined && { timeouts: { playbookSeconds } }),
  };
}
