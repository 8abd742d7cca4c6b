import {
  type Arena,
  type EpisodeRecord,
  type ErrorCode,
  type ErrorInfo,
  type Outcome,
  type Stage,
  type StageResult,
  stageOut,
  stages,
} from "@microremed/contracts";
import { fail, givenBackCode } from "./conclude.ts";
import { planNow } from "./cycle.ts";
import type { EpisodeEvent } from "./episode-event.ts";
import type { EpisodePlan } from "./plan.ts";
import { deadlineOf } from "./stage-deadline.ts";
import { broken } from "./steps.ts";
import { left, leftInTurn, takeResult } from "./take-result.ts";
import { end, enter, judge, quarantine, restore, type Transition } from "./transitions.ts";

/** A lease lasts this long and is renewed while its episode is under way, ms. */
export const leaseMs = 60_000;

/**
 * The state machine of an episode, pure: what becomes of the record when the event happens at `now` (wall clock, ms).
 * `undefined`: the event does not concern the record as it is, e.g. a result that it no longer waits for.
 */
export function advance(
  record: EpisodeRecord,
  whole: EpisodePlan,
  event: EpisodeEvent,
  now: number,
): Transition | undefined {
  const plan = planNow(record, whole);
  switch (event.kind) {
    case "leased":
      return lease(record, event.arena, now);
    case "no-arena":
      return without(record, because("restore-failed", event.reason), now);
    case "no-model":
      return without(record, because("model-unreachable", event.reason), now);
    case "no-entry":
      return without(record, event.error, now);
    case "cancel":
      return event.by === "agent" ? agentLeft(record, plan, now) : cancel(record, now);
    case "dead-letter":
      return waitsFor(record, event) ? lost(record, plan, event.stage, event.error, now) : undefined;
    case "overdue":
      return overdue(record, plan, now);
    case "unserved":
      return unserved(record, plan, now);
    case "cluster-removed":
      return clusterRemoved(record, plan, now);
    case "result":
      return waitsFor(record, event.result) ? takeResult(record, plan, event.result, now) : undefined;
    default:
      return event satisfies never;
  }
}

function lease(record: EpisodeRecord, arena: Arena, now: number): Transition | undefined {
  if (record.state !== "planned") return undefined;
  const next = enter({ ...record, arena }, "leased", `leased ${arena.namespace} on ${arena.cluster}`, now);
  return { ...next, effect: { kind: "take", arena, leaseMs } };
}

/** The end of an episode that waits for what it will not get. */
function without(record: EpisodeRecord, error: ErrorInfo, now: number): Transition | undefined {
  if (record.state !== "planned") return undefined;
  return end(record, "harness-error", error.message, now, error);
}

const because = (code: ErrorCode, message: string): ErrorInfo => ({ code, message, details: {} });

function waitsFor(
  record: EpisodeRecord,
  { stage, trial, attempt }: Pick<StageResult, "stage" | "trial" | "attempt">,
): boolean {
  return stage === stageOut[record.state] && trial === record.trial && attempt === record.attempt;
}

function cancel(record: EpisodeRecord, now: number): Transition | undefined {
  return endNow(record, "cancelled", "the experiment was cancelled", now);
}

/**
 * An agent that leaves in its turn has given no answer, and what it has done is judged: else it could choose what it is tried on. A
 * move that it has made is judged first; then it is its turn again. What it was never asked is cancelled, by it.
 */
function agentLeft(record: EpisodeRecord, plan: EpisodePlan, now: number): Transition | undefined {
  const { state, steps, outcome, earlier } = record;
  if (state === "done" || outcome !== null) return undefined;
  if (state === "solving") return leftInTurn(record, plan, now);
  if (steps.length > 0 && state !== "restoring") return undefined;
  const brokenOff = record.error ?? earlier?.at(-1)?.error;
  // It had the problem, did nothing in it until others needed the arena, and does not come back to it.
  if (brokenOff?.code === givenBackCode) {
    const reason = `${brokenOff.message}; ${left} before it could be asked again`;
    return endNow({ ...record, error: brokenOff }, plan.task.outcomes.failed, reason, now);
  }
  // It was to be tried again after an error of the harness, which is what ended it.
  if (brokenOff && (steps.length > 0 || earlier !== undefined)) {
    const reason = `${brokenOff.message}; ${left} before it could be tried again`;
    return endNow({ ...record, error: brokenOff }, "harness-error", reason, now);
  }
  return endNow({ ...record, cancelledBy: "agent" }, "cancelled", left, now);
}

/** Ends an episode. */
function endNow(
  record: EpisodeRecord,
  outcome: Outcome,
  reason: string,
  now: number,
): Transition | undefined {
  if (record.state === "done") return undefined;
  const stage = stageOut[record.state];
  if (stage === undefined) return end(record, outcome, reason, now);
  // What changes nothing in the arena may run on while that is restored.
  if (!stages[stage].changesArena) return judge(record, outcome, reason, now);
  // What is out ends first; restoring an arena while a playbook runs in it would prove nothing.
  if (record.outcome !== null) return undefined;
  return { record: { ...record, outcome, reason }, note: `${reason}; ${record.state} ends first` };
}

function overdue(record: EpisodeRecord, plan: EpisodePlan, now: number): Transition | undefined {
  const stage = stageOut[record.state];
  const deadline = deadlineOf(record, plan);
  if (stage === undefined || deadline === undefined || now < deadline) return undefined;
  const message = `no result of ${stage} within ${Math.round((deadline - startOf(record)) / 1000)} s`;
  return lost(record, plan, stage, { code: "deadline-exceeded", message, details: { stage } }, now);
}

/** A command that no service has taken is not lost: its time counts from when a service takes it. */
function unserved(record: EpisodeRecord, plan: EpisodePlan, now: number): Transition | undefined {
  const stage = stageOut[record.state];
  const deadline = deadlineOf(record, plan);
  const timing = record.timings.at(-1);
  if (stage === undefined || timing === undefined || deadline === undefined || now < deadline)
    return undefined;
  const timings = [...record.timings.slice(0, -1), { ...timing, waitedUntil: now }];
  const minutes = Math.round((now - timing.startedAt) / 60_000);
  const note = `no service has taken ${stage} for ${minutes} minutes: none that serves it runs, or all are busy; it waits`;
  return { record: { ...record, timings }, note };
}

/** The arena will not come back soon enough for this episode: another one serves as well. */
function clusterRemoved(record: EpisodeRecord, plan: EpisodePlan, now: number): Transition | undefined {
  const stage = stageOut[record.state];
  if (stage === undefined || record.arena === null) return undefined;
  const { cluster } = record.arena;
  const message = `cluster ${cluster} is no longer in the clusters file, and no service takes ${stage}`;
  return lost(
    record,
    plan,
    stage,
    { code: "cluster-unreachable", message, details: { cluster, stage } },
    now,
  );
}

/** The current stage is lost: a new fence excludes any worker on it. */
function lost(
  record: EpisodeRecord,
  plan: EpisodePlan,
  stage: Stage,
  error: ErrorInfo,
  now: number,
): Transition | undefined {
  if (record.arena === null) return undefined;
  if (stage === "restore") return quarantine(record, error.message, now);
  const arena = { ...record.arena, fence: record.arena.fence + 1 };
  const fenced = { ...record, arena };
  // Who worked on a turn that is lost may have had its agent see something.
  const known = stage === "solve" ? broken(fenced, undefined, error.message, now) : fenced;
  const next =
    record.outcome !== null ? restore(fenced, record.outcome, now) : fail(known, plan, stage, error, now);
  return { ...next, effect: { kind: "refence", arena } };
}

function startOf(record: EpisodeRecord): number {
  return record.timings.at(-1)?.startedAt ?? 0;
}
