import { type EpisodeRecord, endSteps, isScored } from "@microremed/contracts";
import { wilsonInterval } from "@microremed/scoring";
import type { AuditRun } from "./plan-audit.ts";

/** One run that was judged. */
export interface JudgedRun {
  readonly run: AuditRun;
  readonly strict: boolean;
  /** Null: the published rules have no check for the fault. */
  readonly microremed: boolean | null;
}

/** How often one judge was wrong, of so many that it was asked about, with a 95 % interval. */
export interface ErrorRate {
  readonly wrong: number;
  readonly of: number;
  readonly rate: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface AuditRow {
  readonly failure: string;
  readonly remedy: string;
  readonly kind: "shortcut" | "repair";
  readonly strict: ErrorRate;
  readonly microremed: ErrorRate;
}

export interface AuditTotals {
  readonly falsePositives: { readonly strict: ErrorRate; readonly microremed: ErrorRate };
  readonly falseNegatives: { readonly strict: ErrorRate; readonly microremed: ErrorRate };
}

/** What both judges said of the run's playbook; a string says why they said nothing. */
export function judgedRun(run: AuditRun, record: EpisodeRecord | undefined): JudgedRun | string {
  if (!record) return "the episode is unknown";
  const { outcome, reason, target, steps } = record;
  if (!isScored(outcome)) return `${outcome}: ${reason}`;
  if (target !== run.target) return `drawn again on ${target}`;
  const verdict = endSteps(steps).at(-1)?.verdict;
  if (!verdict) return `not verified: ${reason}`;
  return { run, strict: verdict.recovered, microremed: verdict.microremed?.recovered ?? null };
}

/** By failure and remedy, in the order of first appearance. */
export function tallyRows(judged: readonly JudgedRun[]): AuditRow[] {
  const groups = Map.groupBy(judged, ({ run }) => `${run.failure}/${run.remedy.name}`);
  return [...groups.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const { failure, remedy } = first.run;
    return [{ failure, remedy: remedy.name, kind: remedy.kind, ...errorsOf(some) }];
  });
}

/**
 * Over all failures. A false positive is a shortcut called a recovery; a false negative is a repair that was not.
 */
export function tallyTotals(judged: readonly JudgedRun[]): AuditTotals {
  const of = (kind: AuditRow["kind"]) => errorsOf(judged.filter(({ run }) => run.remedy.kind === kind));
  return { falsePositives: of("shortcut"), falseNegatives: of("repair") };
}

function errorsOf(judged: readonly JudgedRun[]): Pick<AuditRow, "strict" | "microremed"> {
  const rate = (judge: "strict" | "microremed"): ErrorRate => {
    const asked = judged.filter((one) => one[judge] !== null);
    const wrong = asked.filter((one) => one[judge] !== (one.run.remedy.kind === "repair")).length;
    const interval = wilsonInterval(wrong, asked.length);
    return {
      wrong,
      of: asked.length,
      rate: interval ? wrong / asked.length : null,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    };
  };
  return { strict: rate("strict"), microremed: rate("microremed") };
}
