import { defaultTask, isPassed, isScored, noFailure } from "@microremed/contracts";
import type { EpisodeRow } from "./episode-row.ts";
import { type PassOfK, passAtK, passHatK } from "./pass-hat-k.ts";
import { type Share, share } from "./share.ts";
import { type TaskSummary, taskSummaries } from "./task-summary.ts";
import { type Interval, wilsonInterval } from "./wilson.ts";

/** How one failure type fared. */
interface FailureSummary {
  readonly injected: number;
  readonly remediated: number;
  /** remediated / injected; `null` when nothing was injected. */
  readonly rate: number | null;
  readonly interval: Interval | null;
}

/** Means over a set of episodes; `null` for an empty set. */
interface Averages {
  readonly attempts: number | null;
  /** Of the episodes in which it was measured; so are the two that follow. Each is on a clock of its own. */
  readonly modelSeconds: number | null;
  readonly clusterSeconds: number | null;
  readonly machinerySeconds: number | null;
  readonly seconds: number | null;
  readonly remediationSeconds: number | null;
  readonly tokens: number | null;
  /** US dollars; `null` also when one of the episodes has no price. */
  readonly cost: number | null;
  readonly estimatedTokens: number | null;
}

/**
 * The score of a set of episodes. `injected` counts the episodes that a method was judged on (remediated and
 * not-remediated, at other tasks solved and not-solved): an injection that failed, a harness error and a cancellation are counted separately and never in a rate.
 * Controls (nothing injected) are counted in `controls` alone.
 */
export interface Summary {
  readonly total: number;
  readonly injected: number;
  readonly remediated: number;
  readonly notRemediated: number;
  readonly injectionFailed: number;
  readonly harnessErrors: number;
  readonly cancelled: number;
  readonly running: number;
  readonly successRate: number | null;
  /** 95 % Wilson interval of the success rate. */
  readonly successInterval: Interval | null;
  /** Recovered with nothing left worse than before, the headline: of the episodes that were asked. */
  readonly clean: Share;
  /**
   * The success rate if every episode in which a harness error came after the agent had been given something were a failure, also
   * where a later trial passed, and every episode that the agent left before it was asked. What an agent that causes such errors, or
   * leaves, could have gained is at most the difference.
   */
  readonly errorsAsFailures: Share;
  /** The same of clean repairs. */
  readonly cleanErrorsAsFailures: Share;
  /** Recovered by the published rules, of the episodes with their verdict. */
  readonly microremed: Share;
  /** Judged episodes whose remedies left something changed, of those that were compared. */
  readonly damaged: Share;
  /** Mean number of healthy objects beside the incident that were written or restarted; `null`: no episode was compared. */
  readonly collateral: number | null;
  /** Healthy systems that were left healthy and unchanged. */
  readonly controls: Share;
  /** Of all healthy systems: those in which a harness error came after the agent had been given something, or which it left. */
  readonly controlErrors: number;
  /** pass^k for k from 1 to the number of repeats: the chance that k runs of a case all succeed. */
  readonly passHat: readonly PassOfK[];
  /** Cases that were drawn again because their failure did not show. */
  readonly redraws: number;
  readonly overall: Averages;
  readonly perSuccess: Averages;
  /** pass@k for the same k: the chance that at least one of k runs of a case succeeds. */
  readonly passAt: readonly PassOfK[];
  /** How each task went; controls are not in it. */
  readonly tasks: readonly TaskSummary[];
  readonly byFailure: Readonly<Record<string, FailureSummary>>;
}

/**
 * Counts, rates and 95 % intervals. Rates are of judged episodes alone; controls are in `controls` and nowhere else.
 */
export function summarise(all: readonly EpisodeRow[]): Summary {
  const controls = all.filter((row) => isControl(row) && isJudged(row));
  const rows = all.filter((row) => !isControl(row));
  const count = (outcome: EpisodeRow["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const judged = rows.filter(isJudged);
  const successes = judged.filter(({ outcome }) => isPassed(outcome));
  const runs = judged.map((row) => ({ ...row, passed: isPassed(row.outcome) }));
  const isCleanAsked = judged.some(({ clean }) => clean !== null);
  const failures = [...new Set(rows.map((row) => row.failure))].sort();
  return {
    total: rows.length,
    injected: judged.length,
    remediated: successes.length,
    notRemediated: judged.length - successes.length,
    injectionFailed: count("injection-failed"),
    harnessErrors: count("harness-error"),
    cancelled: count("cancelled"),
    running: count(null),
    successRate: ratio(successes.length, judged.length),
    successInterval: wilsonInterval(successes.length, judged.length) ?? null,
    clean: share(judged, ({ clean }) => clean),
    errorsAsFailures: share(rows, (row) => withErrors(row, isPassed(row.outcome))),
    cleanErrorsAsFailures: share(isCleanAsked ? rows : [], (row) => withErrors(row, row.clean)),
    microremed: share(judged, ({ microremed }) => microremed),
    damaged: share(judged, ({ damage }) => (damage === null ? null : damage > 0)),
    collateral: meanOfKnown(judged, ({ collateral }) => collateral),
    controls: share(controls, isIntact),
    controlErrors: all.filter((row) => isControl(row) && hasErred(row)).length,
    passHat: passHatK(runs),
    passAt: passAtK(runs),
    tasks: taskSummaries(
      rows.flatMap((row) => row.tasks.map((task) => ({ ...row, ...task }))),
      rows.filter((row) => row.tasks.length === 0 && withErrors(row, null) === false).length,
    ),
    redraws: rows.reduce((sum, row) => sum + row.redraws, 0),
    overall: averages(judged),
    perSuccess: averages(successes),
    byFailure: Object.fromEntries(
      failures.map((failure) => [failure, failureSummary(judged.filter((row) => row.failure === failure))]),
    ),
  };
}

/** A control is passed when the system is healthy in the end and nothing was left changed. */
export function isIntact({ outcome, clean, damage }: EpisodeRow): boolean {
  return isPassed(outcome) && (clean ?? (damage ?? 0) === 0);
}

/** A harness error came after the agent had been given something of the episode, or the agent left before it was. */
export function hasErred({ outcome, given, earlierTrials, agentLeft }: EpisodeRow): boolean {
  return earlierTrials > 0 || (outcome === "harness-error" && given) || agentLeft === true;
}

/** Whether an episode is a hit if such an error is a failure; null: it says nothing of its agent, even so. */
export function withErrors(row: EpisodeRow, isHit: boolean | null): boolean | null {
  if (hasErred(row)) return isJudged(row) || row.outcome === "harness-error" || row.agentLeft ? false : null;
  return isJudged(row) ? isHit : null;
}

export function isJudged(row: Pick<EpisodeRow, "outcome">): boolean {
  return isScored(row.outcome);
}

/** A healthy system that is to be repaired; at other tasks it is a case like any other. */
export function isControl({ failure, task }: Pick<EpisodeRow, "failure" | "task">): boolean {
  return failure === noFailure && task === defaultTask;
}

function failureSummary(judged: readonly EpisodeRow[]): FailureSummary {
  const remediated = judged.filter(({ outcome }) => isPassed(outcome)).length;
  return {
    injected: judged.length,
    remediated,
    rate: ratio(remediated, judged.length),
    interval: wilsonInterval(remediated, judged.length) ?? null,
  };
}

function meanOfKnown(rows: readonly EpisodeRow[], pick: (row: EpisodeRow) => number | null): number | null {
  const known = rows.map(pick).filter((value) => value !== null);
  return ratio(
    known.reduce((sum, value) => sum + value, 0),
    known.length,
  );
}

function averages(rows: readonly EpisodeRow[]): Averages {
  const mean = (pick: (row: EpisodeRow) => number) =>
    ratio(
      rows.reduce((sum, row) => sum + pick(row), 0),
      rows.length,
    );
  return {
    attempts: mean((row) => row.attempts),
    modelSeconds: meanOfKnown(rows, (row) => row.modelSeconds),
    clusterSeconds: meanOfKnown(rows, (row) => row.clusterSeconds),
    machinerySeconds: meanOfKnown(rows, (row) => row.machinerySeconds),
    seconds: mean((row) => row.seconds),
    remediationSeconds: mean((row) => row.remediationSeconds),
    tokens: mean((row) => row.tokens),
    cost: rows.some((row) => row.cost === null) ? null : mean((row) => row.cost ?? 0),
    estimatedTokens: mean((row) => row.estimatedTokens),
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
