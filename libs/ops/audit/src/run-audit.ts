import type { EpisodeRecord, ExperimentRequestInput } from "@microremed/contracts";
import type { AuditRun } from "./plan-audit.ts";
import { type JudgedRun, judgedRun } from "./tally.ts";

/** Runs an experiment of one episode to its end; undefined: its episode is unknown. */
export type RunEpisode = (
  request: ExperimentRequestInput,
  run: AuditRun,
) => Promise<EpisodeRecord | undefined>;

export interface AuditOptions {
  readonly environment: string;
  /** Episodes at once. */
  readonly parallel: number;
  readonly signal: AbortSignal;
  /** After each run; `why` when neither judge could say anything. */
  readonly progress: (done: number, run: AuditRun, why: string | undefined) => void;
}

/** Every run of an audit, by whether it got a verdict. */
export interface AuditOutcome {
  readonly judged: readonly JudgedRun[];
  /** Runs that neither judge saw, and why. */
  readonly unjudged: readonly { readonly run: AuditRun; readonly why: string }[];
  /** Those that a judge got wrong, for the record. */
  readonly disputed: readonly EpisodeRecord[];
}

/** Runs each as an experiment of one episode, by the same services as any other, so many at once. */
export async function runAudit(
  runEpisode: RunEpisode,
  runs: readonly AuditRun[],
  options: AuditOptions,
): Promise<AuditOutcome> {
  const judged: JudgedRun[] = [];
  const unjudged: { run: AuditRun; why: string }[] = [];
  const disputed: EpisodeRecord[] = [];
  const queue = runs.values();
  let done = 0;
  const work = async (): Promise<void> => {
    for (const run of queue) {
      options.signal.throwIfAborted();
      const record = await runEpisode(requestOf(run, options.environment), run);
      const result = judgedRun(run, record);
      done++;
      if (typeof result === "string") {
        unjudged.push({ run, why: result });
        options.progress(done, run, result);
        continue;
      }
      judged.push(result);
      if (record && result.strict !== (run.remedy.kind === "repair")) disputed.push(record);
      options.progress(done, run, undefined);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, work));
  return { judged, unjudged, disputed };
}

/** The method Human runs the playbook that the request carries; the model is named and never asked. */
function requestOf({ failure, seed, playbook }: AuditRun, environment: string): ExperimentRequestInput {
  return {
    environment,
    model: "reference/noop",
    method: "Human",
    failures: [failure],
    seed,
    playbook,
    policy: "open",
    maxAttempts: 1,
    maxParallel: 1,
  };
}
