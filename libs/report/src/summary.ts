import type { EpisodeRow } from "./episode-row.ts";
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
  readonly seconds: number | null;
  readonly remediationSeconds: number | null;
  readonly tokens: number | null;
  readonly estimatedTokens: number | null;
}

/**
 * The score of one experiment. `injected` counts the episodes that a method was judged on (remediated and
 * not-remediated): an injection that failed, a harness error and a cancellation are told apart and never in a rate.
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
  readonly overall: Averages;
  readonly perSuccess: Averages;
  readonly byFailure: Readonly<Record<string, FailureSummary>>;
}

export function summarise(rows: readonly EpisodeRow[]): Summary {
  const count = (outcome: EpisodeRow["outcome"]) => rows.filter((row) => row.outcome === outcome).length;
  const judged = rows.filter(isJudged);
  const successes = judged.filter((row) => row.outcome === "remediated");
  const failures = [...new Set(rows.map((row) => row.failure))].sort();
  return {
    total: rows.length,
    injected: judged.length,
    remediated: successes.length,
    notRemediated: count("not-remediated"),
    injectionFailed: count("injection-failed"),
    harnessErrors: count("harness-error"),
    cancelled: count("cancelled"),
    running: count(null),
    successRate: ratio(successes.length, judged.length),
    successInterval: wilsonInterval(successes.length, judged.length) ?? null,
    overall: averages(judged),
    perSuccess: averages(successes),
    byFailure: Object.fromEntries(
      failures.map((failure) => [failure, failureSummary(judged.filter((row) => row.failure === failure))]),
    ),
  };
}

function isJudged(row: EpisodeRow): boolean {
  return row.outcome === "remediated" || row.outcome === "not-remediated";
}

function failureSummary(judged: readonly EpisodeRow[]): FailureSummary {
  const remediated = judged.filter((row) => row.outcome === "remediated").length;
  return {
    injected: judged.length,
    remediated,
    rate: ratio(remediated, judged.length),
    interval: wilsonInterval(remediated, judged.length) ?? null,
  };
}

function averages(rows: readonly EpisodeRow[]): Averages {
  const mean = (pick: (row: EpisodeRow) => number) =>
    ratio(
      rows.reduce((sum, row) => sum + pick(row), 0),
      rows.length,
    );
  return {
    attempts: mean((row) => row.attempts),
    seconds: mean((row) => row.seconds),
    remediationSeconds: mean((row) => row.remediationSeconds),
    tokens: mean((row) => row.tokens),
    estimatedTokens: mean((row) => row.estimatedTokens),
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
