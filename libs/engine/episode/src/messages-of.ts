import {
  type EpisodeRecord,
  endSteps,
  type RangeEvent,
  stageOut,
  subjects,
  usageOf,
} from "@microremed/contracts";
import type { OutboxMessage } from "@microremed/state";
import { episodeSpan, stageSpan } from "./episode-trace.ts";
import type { EpisodePlan } from "./plan.ts";
import { commandOf } from "./stage-command.ts";
import type { Transition } from "./transitions.ts";

/** What is to be published because of a transition: the command that is out now, if it is a new one, and the event. */
export function messagesOf(
  before: EpisodeRecord,
  transition: Transition,
  plan: EpisodePlan,
  now: number,
): OutboxMessage[] {
  const { record } = transition;
  const headers = headersOf(record, plan);
  const event = record.state === "done" ? finished(record, now) : advanced(transition, now);
  const messages: OutboxMessage[] = [
    {
      subject: subjects.event(record.experimentId, record.id, event.type),
      body: event,
      msgId: `${record.id}/v${before.version + 1}/${event.type}`,
      headers,
    },
  ];
  const command = sameStage(before, record) ? undefined : commandMessage(record, plan);
  return command ? [...messages, command] : messages;
}

/** The command that leads out of the record's state. `undefined`: none does. */
export function commandMessage(record: EpisodeRecord, plan: EpisodePlan) {
  const command = commandOf(record, plan);
  if (!command) return undefined;
  const msgId = `${record.id}/${record.trial}/${record.attempt}/${command.stage}/command`;
  return { subject: command.subject, body: command.body, msgId, headers: headersOf(record, plan) };
}

function headersOf(record: EpisodeRecord, plan: EpisodePlan) {
  const stage = stageOut[record.state];
  return { traceparent: stage ? stageSpan({ ...record, stage }, plan) : episodeSpan(record, plan) };
}

function sameStage(a: EpisodeRecord, b: EpisodeRecord): boolean {
  return a.state === b.state && a.trial === b.trial && a.attempt === b.attempt;
}

function identity({ id, index, failure, target, caseId, task, model, method, repeat }: EpisodeRecord) {
  const planned = { index, failure, target, caseId, model, method, repeat };
  return { episodeId: id, ...planned, ...(task !== undefined && { task }) };
}

function advanced({ record, note }: Transition, at: number): RangeEvent {
  const { experimentId, state, trial, attempt, arena } = record;
  return {
    type: "episode-advanced",
    experimentId,
    at,
    ...identity(record),
    version: 2,
    state,
    trial,
    attempt,
    cluster: arena?.cluster ?? null,
    note,
  };
}

function finished(record: EpisodeRecord, at: number): RangeEvent {
  const { experimentId, outcome, reason, steps, error, problem } = record;
  return {
    type: "episode-finished",
    experimentId,
    at,
    ...identity(record),
    ...(problem && { problem }),
    outcome: outcome ?? "harness-error",
    reason: reason ?? "",
    attempts: endSteps(steps).length,
    seconds: secondsToVerdict(record),
    usage: usageOf(record),
    error,
  };
}

/** Wall clock from the lease of the last trial to its verdict: the restore afterwards is not counted. */
function secondsToVerdict({ timings, trial }: EpisodeRecord): number {
  const last = timings.filter((timing) => timing.trial === trial);
  const from = last[0]?.startedAt;
  const to = last.find(({ stage }) => stage === "restore")?.startedAt;
  return from === undefined || to === undefined ? 0 : (to - from) / 1000;
}
