import { type EpisodeRecord, type RangeEvent, stageOut, subjects, usageOf } from "@microremed/contracts";
import type { OutboxMessage } from "@microremed/state";
import type { Step } from "./episode-steps.ts";
import { episodeSpan, stageSpan } from "./episode-trace.ts";
import { commandOf, type EpisodePlan } from "./stage-command.ts";

/** What is to be published because of a step: the command that is out now, if it is a new one, and the event. */
export function messagesOf(
  before: EpisodeRecord,
  step: Step,
  plan: EpisodePlan,
  now: number,
): OutboxMessage[] {
  const { record } = step;
  const headers = headersOf(record, plan);
  const event = record.state === "done" ? finished(record, now) : advanced(step, now);
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

function identity({ id, index, failure, target, caseId, model, method, repeat }: EpisodeRecord) {
  return { episodeId: id, index, failure, target, caseId, model, method, repeat };
}

function advanced({ record, note }: Step, at: number): RangeEvent {
  const { experimentId, state, trial, attempt, arena } = record;
  return {
    type: "episode-advanced",
    experimentId,
    at,
    ...identity(record),
    state,
    trial,
    attempt,
    cluster: arena?.cluster ?? null,
    note,
  };
}

function finished(record: EpisodeRecord, at: number): RangeEvent {
  const { experimentId, outcome, reason, attempts, error } = record;
  return {
    type: "episode-finished",
    experimentId,
    at,
    ...identity(record),
    outcome: outcome ?? "harness-error",
    reason: reason ?? "",
    attempts: attempts.length,
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
