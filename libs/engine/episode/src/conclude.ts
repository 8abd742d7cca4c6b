import {
  type EpisodeRecord,
  type ErrorCode,
  type ErrorInfo,
  errorCodes,
  gradeOfStep,
  lastGradeOf,
  type StageBody,
} from "@microremed/contracts";
import { attemptInTask, gradesOf, taskAfter } from "./cycle.ts";
import { hasLetExpire } from "./let-expire.ts";
import type { EpisodePlan } from "./plan.ts";
import { isProvidersOutage } from "./provider-outage.ts";
import { attemptNumber, lastEnd } from "./steps.ts";
import { enter, judge, restore, type Transition } from "./transitions.ts";

/** How often the harness tries an episode when it is the harness that fails. */
export const maxTrials = 3;
/** How often an episode gives its arena back to others; then its agent has given it up. */
export const mostGivenBack = 10;
/** How often a failed injection is tried again on the same target, before it is drawn on another one. */
const sameTarget = 1;

/** The next attempt, or the end. */
export function goOn(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Transition {
  const number = attemptNumber(record);
  if (attemptInTask(record) >= plan.maxAttempts) return conclude(record, plan, reason, now);
  const next = { ...record, attempt: record.attempt + 1 };
  return enter(next, "solving", `attempt ${number}: ${reason}`, now);
}

/**
 * The outcome is the last grade's: on the answer, or on what the last playbook that ran has left. Of a cycle the next task
 * is asked; after the last one it has passed if all have.
 */
export function conclude(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Transition {
  const { task } = plan;
  if (task.watch) return endOfWatch(record, plan, reason, now);
  const following = taskAfter(record, plan);
  if (following !== undefined) {
    const next = { ...record, asked: following, attempt: record.attempt + 1 };
    return enter(next, "solving", `${record.asked}: ${reason}; ${following} is asked`, now);
  }
  if (task.parts !== undefined) {
    const grades = gradesOf(record, plan);
    const words = grades.map(({ name, grade }) => `${name}: ${grade?.reason ?? "not graded"}`).join("; ");
    const hasPassed = grades.every(({ grade }) => grade?.passed);
    return judge(record, hasPassed ? task.outcomes.passed : task.outcomes.failed, words, now);
  }
  const grade = lastGradeOf(record);
  if (grade?.passed) return judge(record, task.outcomes.passed, grade.reason, now);
  return judge(record, task.outcomes.failed, reason, now);
}

/** What counts is the last window: who says nothing in it has not answered. */
function endOfWatch(record: EpisodeRecord, { task }: EpisodePlan, reason: string, now: number): Transition {
  const end = lastEnd(record);
  const hasPassed = end !== undefined && gradeOfStep(end)?.passed === true;
  return judge(record, hasPassed ? task.outcomes.passed : task.outcomes.failed, reason, now);
}

/** The failure did not show: the case is drawn again on a fresh arena, first as it is, then on the next targets. */
export function withoutEffect(
  record: EpisodeRecord,
  { reason, verdict }: Extract<StageBody<"inject">, { status: "no-effect" }>,
  now: number,
): Transition {
  const { trial, target, arena, redraws } = record;
  if (redraws.length >= sameTarget + record.alternatives.length) {
    return judge(record, "injection-failed", reason, now);
  }
  const next = { ...record, redraws: [...redraws, { trial, target, arena, reason, verdict }] };
  return restore(next, `${reason}; to be drawn again`, now);
}

/**
 * A stage failed for a reason that is not the model's doing. The arena is restored in any case; then the episode is
 * tried again on a fresh one, unless another try would fail the same way, or would be a second chance that the agent chose. Where the model's provider fails, that is when
 * it answers again: until then the model is paused. A fault that the agent let come to its own end is no such reason: it was
 * not repaired. Nor is an arena that was given back to others: that may happen more often.
 */
export function fail(
  record: EpisodeRecord,
  plan: EpisodePlan,
  stage: string,
  error: ErrorInfo,
  now: number,
): Transition {
  const { request } = plan;
  if (hasLetExpire(record, error, request.thinkTime))
    return conclude({ ...record, error }, plan, error.message, now);
  const before = givenBack(record);
  if (error.code === givenBackCode) {
    const most = maxTrials + mostGivenBack + record.redraws.length;
    if (before >= mostGivenBack || record.trial > most)
      return conclude({ ...record, error }, plan, error.message, now);
    return restore({ ...record, error }, `${error.message}; to be asked again on another arena`, now);
  }
  const reason = `${stage} failed: ${error.message}`;
  const waits = isProvidersOutage(error) && request.timeouts.outageSeconds > 0;
  const worthIt = waits || worthAnotherArena(error.code);
  const final = record.trial - record.redraws.length - before >= maxTrials || !worthIt;
  if (final) return judge({ ...record, error }, "harness-error", reason, now);
  return restore({ ...record, error }, `${reason}; to be tried again on a fresh arena`, now);
}

/** Others waited for the arena of an agent that did nothing in it. */
export const givenBackCode: ErrorCode = "arena-given-back";

/** Trials that ended because others waited for the arena. */
const givenBack = ({ earlier = [] }: EpisodeRecord): number =>
  earlier.filter(({ error }) => error?.code === givenBackCode).length;

/** An agent can bring it about at will, also after it has seen that its first repair failed. */
const chosenByAgent = "not-simulated";

function worthAnotherArena(code: string): boolean {
  const kind = Object.entries(errorCodes).find(([name]) => name === code)?.[1].kind;
  return kind !== "user" && !code.startsWith("model-") && code !== chosenByAgent;
}
