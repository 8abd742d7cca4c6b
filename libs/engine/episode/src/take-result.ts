import {
  type Arena,
  actionsWithin,
  type EpisodeRecord,
  lastGradeOf,
  noFailure,
  nothingTool,
  noUsage,
  type StageBody,
  type StageResult,
  submitTool,
} from "@microremed/contracts";
import type { ArenaEffect } from "@microremed/state";
import { conclude, fail, goOn, withoutEffect } from "./conclude.ts";
import { inTask } from "./cycle.ts";
import { type EpisodePlan, wantsOf } from "./plan.ts";
import { isReportedPassed } from "./reported-grade.ts";
import { attemptNumber, broken, endOfTurn, graded, isUngraded, lastEnd, observed, ran } from "./steps.ts";
import { enter, leave, quarantine, restore, type Transition } from "./transitions.ts";
import { goesOnWatching, windowNumber } from "./watch.ts";

/** What becomes of the record by the result that it waits for. */
export function takeResult(
  record: EpisodeRecord,
  plan: EpisodePlan,
  result: StageResult,
  now: number,
): Transition {
  if (result.stage === "restore") {
    return result.body.status === "ok"
      ? leave(record, result.body, now)
      : quarantine(record, result.body.error.message, now);
  }
  if (record.outcome !== null) return restore(record, record.outcome, now);
  if (result.body.status === "failed")
    return fail(withBrokenTurn(record, result, now), plan, result.stage, result.body.error, now);
  if (plan.missing) return fail(record, plan, result.stage, plan.missing, now);
  switch (result.stage) {
    case "prepare": {
      const next = enter(record, "prepared", result.body.deployed ? "deployed, healthy" : "healthy", now);
      return record.arena === null ? next : { ...next, effect: deployedIn(record.arena, record, plan) };
    }
    case "inject":
      return injected(record, plan, result.body, now);
    case "solve":
      return solved(record, plan, result.body, now);
    case "act": {
      const { execution } = result.body;
      const next = ran(record, result.body, now);
      const step = lastEnd(record);
      if (step?.kind === "act" && step.goesOn) {
        const note = `${step.tool} ${execution.status}; the turn goes on`;
        return enter({ ...next, attempt: record.attempt + 1 }, "solving", note, now);
      }
      if (execution.status !== "rejected") return enter(next, "grading", `playbook ${execution.status}`, now);
      return goOn(next, plan, `the playbook was rejected: ${execution.output}`, now);
    }
    case "grade":
      return afterGrade(graded(record, result.body), plan, result.body.grade.reason, now);
    default:
      return result satisfies never;
  }
}

/** The record with the turn that has failed, unless its agent was given nothing. */
function withBrokenTurn(record: EpisodeRecord, { stage, body }: StageResult, now: number): EpisodeRecord {
  if (stage !== "solve" || body.status !== "failed" || body.given === false) return record;
  return broken(record, body.turn, `the turn failed: ${body.error.message}`, now);
}

function injected(
  record: EpisodeRecord,
  plan: EpisodePlan,
  body: StageBody<"inject">,
  now: number,
): Transition {
  const { baseline } = body;
  if (body.status === "no-effect") return withoutEffect({ ...record, baseline }, body, now);
  const { injection, window, historyFrom } = body;
  const [first] = plan.task.watch ? [] : (plan.task.parts ?? []);
  const next = {
    ...record,
    baseline,
    injection,
    attempt: Math.max(1, record.attempt),
    ...(first && { asked: first.name }),
    ...(historyFrom !== undefined && { historyFrom }),
    ...(window && {
      watched: {
        from: record.watched?.from ?? window.from,
        askedAt: window.to,
        windowSeconds: (window.to - window.from) / 1000,
        ...(window.paceMs !== undefined && { paceMs: window.paceMs }),
      },
    }),
  };
  const { reason } = injection.verdict;
  const note = window ? `window ${next.attempt} has passed: ${reason}` : `injected: ${reason}`;
  return enter(next, "solving", note, now);
}

/** Why an episode ended whose agent has left it. */
export const left = "the agent left";

/** What becomes of the record when its agent has left in its turn: as of one that was silent for too long. */
export function leftInTurn(record: EpisodeRecord, plan: EpisodePlan, now: number): Transition {
  const nothing = { observations: [], usage: noUsage, probes: 0 };
  return solved(record, plan, { status: "nothing", exhausted: "agent", reason: left, ...nothing }, now);
}

function solved(record: EpisodeRecord, plan: EpisodePlan, body: StageBody<"solve">, now: number): Transition {
  const { usage, probes, settings, toolClusterMs } = body;
  const turn = {
    usage,
    probes,
    ...(toolClusterMs !== undefined && { toolClusterMs }),
    ...(settings && { settings }),
  };
  const seen = observed(record, body.observations);
  switch (body.status) {
    case "act": {
      if (!plan.task.mayAct) break;
      const { tool, arguments: args, goesOn, atMostSeconds } = body;
      const end = {
        kind: "act",
        tool,
        arguments: args,
        result: null,
        ...(goesOn && { goesOn }),
        ...(atMostSeconds !== undefined && { atMostSeconds }),
        turn,
        verdict: null,
        grade: null,
      } as const;
      return enter(endOfTurn(seen, end, now), "acting", goesOn ? `called ${tool}` : "wrote a playbook", now);
    }
    case "submit": {
      if (!plan.task.answered) break;
      const end = { kind: "submit", tool: submitTool, arguments: body.answer, reason: null } as const;
      const next = endOfTurn(seen, { ...end, turn, verdict: null, result: null }, now);
      return enter(next, "grading", "submitted an answer", now);
    }
    case "done":
    case "nothing":
      break;
    default:
      return body satisfies never;
  }
  const given = "reason" in body ? body.reason : "the task allows no such thing";
  const end = { kind: "submit", tool: nothingTool, arguments: null, reason: given } as const;
  const next = endOfTurn(seen, { ...end, turn, verdict: null, result: null }, now);
  // What was done is seen by grading, whatever the turn ended with.
  if (isUngraded(next)) return enter(next, "grading", given, now);
  if (body.status === "done") return content(next, plan, `the method ended the episode: ${given}`, now);
  const what = plan.task.answered ? "answer" : "playbook";
  const reason = `the agent gave no ${what}: ${given}`;
  // To leave a healthy system alone is the right thing; that it is healthy is seen by grading.
  if (record.failure === noFailure && !plan.task.answered) return content(next, plan, reason, now);
  if (body.status === "nothing" && body.exhausted !== undefined) return conclude(next, plan, reason, now);
  if (plan.task.watch) return watchOn(next, plan, reason, now);
  return goOn(next, plan, reason, now);
}

/** The method wants to do no more: the system as it is has been graded, or is now. */
function content(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Transition {
  const last = lastGradeOf(inTask(record));
  if (last === null && !plan.task.answered) return enter(record, "grading", reason, now);
  return conclude(record, plan, last ? `${last.reason}; ${reason}` : reason, now);
}

function afterGrade(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Transition {
  if (plan.task.watch) return watchOn(record, plan, reason, now);
  const step = lastEnd(record);
  // An answer is final, and so is having nothing more to do, unless something was done in the same turn.
  const isOver = step?.kind !== "act" && (plan.request.feedback !== "oracle" || !actedIn(record));
  if (step === undefined || isOver) return conclude(record, plan, reason, now);
  if (plan.request.feedback === "oracle" && isReportedPassed(step, plan))
    return conclude(record, plan, reason, now);
  return goOn(record, plan, reason, now);
}

/** The next window of a watch, or its end. */
function watchOn(record: EpisodeRecord, plan: EpisodePlan, reason: string, now: number): Transition {
  if (!goesOnWatching(record, plan)) return conclude(record, plan, reason, now);
  const note = `window ${windowNumber(record)}: ${reason}; the watch goes on`;
  return enter({ ...record, attempt: record.attempt + 1 }, "prepared", note, now);
}

function actedIn(record: EpisodeRecord): boolean {
  const number = attemptNumber(record);
  return actionsWithin(record.steps).some(({ attempt }) => attempt === number);
}

function deployedIn(arena: Arena, record: EpisodeRecord, { request }: EpisodePlan): ArenaEffect {
  return { kind: "deployed", arena, wants: wantsOf(request, record) };
}
