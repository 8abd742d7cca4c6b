import {
  type ChatMessage,
  type ConversationQuery,
  type ConversationReply,
  type EpisodeRecord,
  type ExperimentPage,
  type ExperimentQuery,
  episodeId,
} from "@microremed/contracts";
import { clipTexts, terminal } from "@microremed/core";
import type { SchedulerDeps } from "../service.types.ts";

/** A reply is one message, and NATS takes 1 MiB. */
const maxBytes = 750_000;
/** Characters of a part of a record: none takes more than three bytes, and the quotes of JSON take two within a text. */
const partCharacters = 200_000;
/** Lengths to which the texts of a message are cut, one after the other, until it fits. */
const cuts = [65_536, 16_384, 4_096, 1_024, 128];

/** A page of an experiment: as many whole records as fit. */
export async function experimentPage(
  { state }: Pick<SchedulerDeps, "state">,
  { experimentId, from, limit, offset }: ExperimentQuery,
): Promise<ExperimentPage> {
  const experiment = await state.experiments.get(experimentId);
  if (!experiment) {
    const message = `no experiment ${JSON.stringify(experimentId)} is known (its data is kept 30 days after its end)`;
    return { status: "error", error: { code: "unknown-experiment", message, details: {} } };
  }
  const { record } = experiment;
  const end = Math.min(from + limit, record.episodes);
  const ids = Array.from({ length: Math.max(0, end - from) }, (_, i) => episodeId(experimentId, from + i));
  const all = await state.episodes.getMany(ids);
  const episodes = fitting(all);
  const [first] = all;
  if (first && episodes.length === 0) return { status: "part", experiment: record, ...partOf(first, offset) };
  const next = from + episodes.length;
  const more = episodes.length > 0 && next < record.episodes;
  return { status: "ok", experiment: record, episodes, next: more ? next : null };
}

/** The first that fit in one reply; none: the first alone is too large. */
function fitting<T>(all: readonly T[]): T[] {
  const page: T[] = [];
  let bytes = 0;
  for (const one of all) {
    bytes += sizeOf(one);
    if (bytes > maxBytes) break;
    page.push(one);
  }
  return page;
}

function partOf(record: EpisodeRecord, offset: number) {
  const whole = JSON.stringify(record);
  const { index, version } = record;
  return { index, version, text: whole.slice(offset, offset + partCharacters), length: whole.length };
}

/** The conversation of an episode's latest trial, from a message on: as many whole messages as fit. */
export async function conversationOf(
  { state }: Pick<SchedulerDeps, "state">,
  { episodeId: id, from }: ConversationQuery,
): Promise<ConversationReply> {
  const record = await state.episodes.get(id);
  if (!record) throw terminal("unknown-experiment", `no episode ${JSON.stringify(id)} is known`);
  const all = await state.conversations.read({ episodeId: record.id, trial: record.trial });
  const left = all.slice(from);
  const whole = fitting(left);
  const [first] = left;
  const conversation = first && whole.length === 0 ? [shortened(first)] : whole;
  const next = from + conversation.length;
  return { conversation, next: next < all.length ? next : null };
}

function shortened(message: ChatMessage): ChatMessage {
  let fit = message;
  for (const max of cuts) {
    if (sizeOf(fit) <= maxBytes) break;
    fit = clipTexts(message, max);
  }
  return fit;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
