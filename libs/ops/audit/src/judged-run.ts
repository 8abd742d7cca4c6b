import { cleanOf, type EpisodeRecord, endSteps, isScored } from "@microremed/contracts";
import type { AuditRun } from "./plan-audit.ts";

/** What the judges said of one run. */
export interface JudgedRun {
  readonly run: AuditRun;
  readonly strict: boolean;
  /** Null: not asked. */
  readonly clean: boolean | null;
  /** Null: the published rules have no check for the fault. */
  readonly microremed: boolean | null;
  /** The strict verdict's, in words. */
  readonly reason: string;
}

/** The error of an episode whose fault ended by itself: no remedy is credited with it. */
const expired = "fault-expired";

/** What the judges said of the run's playbook; a string says why they said nothing. */
export function judgedRun(run: AuditRun, record: EpisodeRecord | undefined): JudgedRun | string {
  if (!record) return "the episode is unknown";
  const { outcome, reason, target, steps, error } = record;
  if (error?.code === expired && !run.remedy.expected.recovered)
    return { run, strict: false, clean: false, microremed: null, reason: error.message };
  if (!isScored(outcome)) return `${outcome}: ${reason}`;
  if (target !== run.target) return `drawn again on ${target}`;
  const last = endSteps(steps).at(-1);
  if (!last?.verdict) return `not verified: ${reason}`;
  // A remedy that was not carried out shows nothing about a judge.
  if (last.kind === "act" && last.result && last.result.status !== "ok")
    return `its playbook ended ${last.result.status}: ${last.result.output.slice(-600)}`;
  const { recovered, microremed } = last.verdict;
  return {
    run,
    strict: recovered,
    clean: cleanOf(record),
    microremed: microremed?.recovered ?? null,
    reason: saidOf(last.verdict.reason, record.damage),
  };
}

function saidOf(reason: string, damage: EpisodeRecord["damage"]): string {
  const left = (damage?.changes ?? []).map(({ class: kind, what, object, detail }) =>
    [`${kind ?? "unclassed"}: ${what} ${object}`, detail].filter((part) => part !== "").join(": "),
  );
  return left.length === 0 ? reason : `${reason}; left: ${left.join("; ")}`;
}
