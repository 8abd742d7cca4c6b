import {
  caseIdOn,
  type Damage,
  type EpisodeRecord,
  type EpisodeState,
  type ErrorInfo,
  type Outcome,
  stageOut,
} from "@microremed/contracts";
import type { ArenaEffect } from "@microremed/state";

/** What one event makes of an episode. */
export interface Transition {
  readonly record: EpisodeRecord;
  /** What happened, in words. */
  readonly note: string;
  /** What it does to the arena. */
  readonly effect?: ArenaEffect;
}

/** The outcome is reached; the arena is restored next. */
export function judge(record: EpisodeRecord, outcome: Outcome, reason: string, now: number): Transition {
  return restore({ ...record, outcome, reason }, `${outcome}: ${reason}`, now);
}

/** The arena is restored next. */
export function restore(record: EpisodeRecord, note: string, now: number): Transition {
  return enter(record, "restoring", note, now);
}

/** The arena is back at its baseline. */
export function leave(
  record: EpisodeRecord,
  { how, damage }: { how: "reset" | "redeployed"; damage: Damage | null },
  now: number,
): Transition {
  const next = settle({ ...record, restored: how, damage }, now);
  return record.arena === null ? next : { ...next, effect: { kind: "release", arena: record.arena } };
}

export function quarantine(record: EpisodeRecord, reason: string, now: number): Transition {
  const next = settle({ ...record, restored: "quarantined" }, now);
  return record.arena === null
    ? next
    : { ...next, effect: { kind: "quarantine", arena: record.arena, reason } };
}

/** After the restore: the end, or another trial when no outcome was reached. */
function settle(record: EpisodeRecord, now: number): Transition {
  if (record.outcome !== null) return end(record, record.outcome, record.reason ?? "", now);
  const { asked: _, watched: __, historyFrom: ___, ...planned } = redrawn(withEarlier(record));
  const fresh: EpisodeRecord = {
    ...planned,
    trial: record.trial + 1,
    attempt: 0,
    arena: null,
    baseline: null,
    injection: null,
    steps: [],
    reason: null,
    error: null,
    restored: null,
    damage: null,
  };
  const why = record.error?.message ?? record.redraws.at(-1)?.reason ?? "";
  return enter(fresh, "planned", `waits for a fresh arena: ${why}`, now);
}

/** What an agent has been given is kept: the next trial is another chance. */
function withEarlier(record: EpisodeRecord): EpisodeRecord {
  const { trial, target, arena, error, steps, earlier = [], redraws } = record;
  if (steps.length === 0) return record;
  const reason = error?.message ?? redraws.at(-1)?.reason ?? "";
  return { ...record, earlier: [...earlier, { trial, target, arena, reason, error, steps }] };
}

/** After a failed injection the same target gets one more chance, then it is the next one's turn. */
function redrawn(record: EpisodeRecord): EpisodeRecord {
  const { redraws, alternatives, caseId } = record;
  if (redraws.at(-1)?.trial !== record.trial) return record;
  const target = alternatives[redraws.length - 2];
  return target === undefined ? record : { ...record, target, caseId: caseIdOn(caseId, target) };
}

/** The end of the episode. */
export function end(
  record: EpisodeRecord,
  outcome: Outcome,
  reason: string,
  now: number,
  error: ErrorInfo | null = record.error,
): Transition {
  return enter({ ...record, outcome, reason, error }, "done", `${outcome}: ${reason}`, now);
}

/** Ends the timing of the stage that was out and starts that of the one that goes out now. */
export function enter(record: EpisodeRecord, state: EpisodeState, note: string, now: number): Transition {
  const timings = record.timings.map((timing, i) =>
    i === record.timings.length - 1 && timing.endedAt === null ? { ...timing, endedAt: now } : timing,
  );
  const stage = stageOut[state];
  const { trial, attempt } = record;
  const started = stage === undefined ? [] : [{ stage, trial, attempt, startedAt: now, endedAt: null }];
  return { record: { ...record, state, timings: [...timings, ...started] }, note };
}
