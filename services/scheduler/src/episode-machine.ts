import {
  type Arena,
  type EpisodeRecord,
  type ErrorInfo,
  errorCodes,
  lastVerdictOf,
  noFailure,
  type Stage,
  type StageResult,
  stageOut,
  type Verdict,
} from "@microremed/contracts";
import type { ArenaEffect } from "@microremed/state";
import type { EpisodeEvent } from "./episode-event.ts";
import { end, enter, judge, leave, quarantine, restore, type Step, withAttempt } from "./episode-steps.ts";
import type { EpisodePlan } from "./stage-command.ts";
import { deadlineOf } from "./stage-deadline.ts";
import { isTold } from "./told-verdict.ts";

/** How often the harness tries an episode when it is the harness that fails. */
export const maxTrials = 3;
/** How often a failed injection is tried again on the same target, before it is drawn on another one. */
const sameTarget = 1;

/** A lease lasts this long and is renewed while its episode is under way, ms. */
export const leaseMs = 60_000;

/**
 * The state machine of an episode, pure: what becomes of the record when the event happens at `now` (wall clock, ms).
 * `undefined`: the event does not concern the record as it is, e.g. a result that it no longer waits for.
 */
export function advance(
  record: EpisodeRecord,
  plan: EpisodePlan,
  event: EpisodeEvent,
  now: number,
): Step | undefined {
  switch (event.kind) {
    case "leased":
      return lease(record, event.arena, now);
    case "no-arena":
      if (record.state !== "planned") return undefined;
      return end(record, "harness-error", event.reason, now, {
        code: "restore-failed",
        message: event.reason,
        details: {},
      });
    case "cancel":
      return cancel(record, now);
    case "buried":
      return waitsFor(record, event) ? lost(record, event.stage, event.error, now) : undefined;
    case "overdue":
      return overdue(record, plan, now);
    case "unserved":
      return unserved(record, plan, now);
    case "result":
      return waitsFor(record, event.result) ? take(record, plan, event.result, now) : undefined;
    default:
      return event satisfies never;
  }
}

function lease(record: EpisodeRecord, arena: Arena, now: number): Step | undefined {
  if (record.state !== "planned") return undefined;
  const step = enter({ ...record, arena }, "leased", `leased ${arena.namespace} on ${arena.cluster}`, now);
  return { ...step, effect: { kind: "take", arena, leaseMs } };
}

function waitsFor(
  record: EpisodeRecord,
  { stage, trial, attempt }: Pick<StageResult, "stage" | "trial" | "attempt">,
): boolean {
  return stage === stageOut[record.state] && trial === record.trial && attempt === record.attempt;
}

function take(record: EpisodeRecord, plan: EpisodePlan, result: StageResult, now: number): Step {
  if (result.stage === "restore") {
    return result.body.status === "ok"
      ? leave(record, result.body, now)
      : quarantine(record, result.body.error.message, now);
  }
  if (record.outcome === "cancelled") return restore(record, "cancelled", now);
  if (result.body.status === "failed") return fail(record, result.stage, result.body.error, now);
  switch (result.stage) {
    case "prepare": {
      const step = enter(record, "prepared", result.body.deployed ? "deployed, healthy" : "healthy", now);
      return record.arena === null ? step : { ...step, effect: deployedIn(record.arena, plan) };
    }
    case "inject":
      return injected(record, result.body, now);
    case "solve":
      return written(record, plan, result.body, now);
    case "act": {
      const { execution } = result.body;
      const next = withAttempt(record, { execution });
      if (execution.status !== "rejected") return enter(next, "grading", `playbook ${execution.status}`, now);
      return goOn(next, plan, `the playbook was rejected: ${execution.output}`, now);
    }
    case "grade": {
      const { verdict } = result.body;
      return verified(withAttempt(record, { verdict }), plan, verdict, now);
    }
    default:
      return result satisfies never;
  }
}

type BodyOf<S extends StageResult["stage"]> = Exclude<
  Extract<StageResult, { stage: S }>["body"],
  { status: "failed" }
>;

function injected(record: EpisodeRecord, body: BodyOf<"inject">, now: number): Step {
  const { baseline } = body;
  if (body.status === "no-effect") return withoutEffect({ ...record, baseline }, body, now);
  const next = { ...record, baseline, injection: body.injection, attempt: 1 };
  return enter(next, "solving", `injected: ${body.injection.verdict.reason}`, now);
}

function written(record: EpisodeRecord, plan: EpisodePlan, body: BodyOf<"solve">, now: number): Step {
  const { usage, probes, settings } = body;
  const common = {
    number: record.attempt,
    usage,
    probes,
    ...(settings && { settings }),
    execution: null,
    verdict: null,
  };
  if (body.status === "playbook") {
    const attempt = { ...common, playbook: body.playbook, noPlaybookReason: null };
    return enter({ ...record, attempts: [...record.attempts, attempt] }, "acting", "wrote a playbook", now);
  }
  const attempt = { ...common, playbook: null, noPlaybookReason: body.reason };
  const next = { ...record, attempts: [...record.attempts, attempt] };
  if (body.status === "done") return content(next, `the method is content: ${body.reason}`, now);
  const reason = `the model gave no playbook: ${body.reason}`;
  // To leave a healthy system alone is the right thing; that it is healthy is seen by verifying.
  if (record.failure === noFailure) return content(next, reason, now);
  if (body.exhausted !== undefined) return conclude(next, reason, now);
  return goOn(next, plan, reason, now);
}

function verified(record: EpisodeRecord, plan: EpisodePlan, verdict: Verdict, now: number): Step {
  const { request } = plan;
  if (request.feedback === "oracle" && isTold(verdict, request)) return conclude(record, verdict.reason, now);
  if (record.attempts.at(-1)?.playbook === null) return conclude(record, verdict.reason, now);
  return goOn(record, plan, verdict.reason, now);
}

/** The method wants to do no more: what there is to judge has been verified, or is now. */
function content(record: EpisodeRecord, reason: string, now: number): Step {
  return lastVerdictOf(record) === null
    ? enter(record, "grading", reason, now)
    : conclude(record, reason, now);
}

/** The next attempt, or the end. */
function goOn(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Step {
  if (record.attempt >= plan.maxAttempts) return conclude(record, reason, now);
  const next = { ...record, attempt: record.attempt + 1 };
  return enter(next, "solving", `attempt ${record.attempt}: ${reason}`, now);
}

/** The outcome is the strict verdict's on what the last playbook that ran has left. */
function conclude(record: EpisodeRecord, reason: string, now: number): Step {
  const verdict = lastVerdictOf(record);
  if (verdict?.recovered) return judge(record, "remediated", verdict.reason, now);
  return judge(record, "not-remediated", reason, now);
}

/** The failure did not show: the case is drawn again on a fresh arena, first as it is, then on the next targets. */
function withoutEffect(
  record: EpisodeRecord,
  { reason, verdict }: Extract<BodyOf<"inject">, { status: "no-effect" }>,
  now: number,
): Step {
  const { trial, target, arena, redraws } = record;
  if (redraws.length >= sameTarget + record.alternatives.length) {
    return judge(record, "injection-failed", reason, now);
  }
  const next = { ...record, redraws: [...redraws, { trial, target, arena, reason, verdict }] };
  return restore(next, `${reason}; to be drawn again`, now);
}

/**
 * A stage failed for a reason that is not the model's doing. The arena is restored in any case; then the episode is
 * tried again on a fresh one, unless another try would fail the same way.
 */
function fail(record: EpisodeRecord, stage: string, error: ErrorInfo, now: number): Step {
  const reason = `${stage} failed: ${error.message}`;
  const final = record.trial - record.redraws.length >= maxTrials || !worthAnotherArena(error.code);
  if (final) return judge({ ...record, error }, "harness-error", reason, now);
  return restore({ ...record, error }, `${reason}; to be tried again on a fresh arena`, now);
}

function worthAnotherArena(code: string): boolean {
  const kind = Object.entries(errorCodes).find(([name]) => name === code)?.[1].kind;
  return kind !== "user" && !code.startsWith("model-");
}

function cancel(record: EpisodeRecord, now: number): Step | undefined {
  const reason = "the experiment was cancelled";
  switch (record.state) {
    case "done":
      return undefined;
    case "planned":
      return end(record, "cancelled", reason, now);
    case "solving":
    case "grading":
      // These two change nothing in the arena, so it can be restored while they run on.
      return judge(record, "cancelled", reason, now);
    case "restoring":
    case "leased":
    case "prepared":
    case "acting":
      // What is out ends first; restoring an arena while a playbook runs in it would prove nothing.
      if (record.outcome !== null) return undefined;
      return {
        record: { ...record, outcome: "cancelled", reason },
        note: `${reason}; ${record.state} ends first`,
      };
    default:
      return record.state satisfies never;
  }
}

function overdue(record: EpisodeRecord, plan: EpisodePlan, now: number): Step | undefined {
  const stage = stageOut[record.state];
  const deadline = deadlineOf(record, plan);
  if (stage === undefined || deadline === undefined || now < deadline) return undefined;
  const message = `no result of ${stage} within ${Math.round((deadline - startOf(record)) / 1000)} s`;
  return lost(record, stage, { code: "deadline-exceeded", message, details: { stage } }, now);
}

/** What nobody has begun is not lost: its time counts from when somebody serves it. */
function unserved(record: EpisodeRecord, plan: EpisodePlan, now: number): Step | undefined {
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

/** The stage that is out is lost: whoever may still be at it is shut out by a new fence. */
function lost(record: EpisodeRecord, stage: Stage, error: ErrorInfo, now: number): Step | undefined {
  if (record.arena === null) return undefined;
  if (stage === "restore") return quarantine(record, error.message, now);
  const arena = { ...record.arena, fence: record.arena.fence + 1 };
  const fenced = { ...record, arena };
  const step =
    record.outcome === "cancelled" ? restore(fenced, "cancelled", now) : fail(fenced, stage, error, now);
  return { ...step, effect: { kind: "refence", arena } };
}

function deployedIn(arena: Arena, { request }: EpisodePlan): ArenaEffect {
  return { kind: "deployed", arena, wants: wantsOf(request) };
}

/** What an arena must hold for a request: arenas that do are preferred. */
export function wantsOf(request: EpisodePlan["request"]): string {
  return `${request.environment}@${request.namespace ?? ""}`;
}

function startOf(record: EpisodeRecord): number {
  return record.timings.at(-1)?.startedAt ?? 0;
}
