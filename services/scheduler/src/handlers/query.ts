import {
  type Conversation,
  type ConversationQuery,
  type ConversationReply,
  type EpisodeRecord,
  type ExperimentPage,
  type ExperimentQuery,
  episodeId,
  type Step,
} from "@microremed/contracts";
import { clipMiddle, terminal } from "@microremed/core";
import type { SchedulerDeps } from "../service.types.ts";

/** A reply is one message, and NATS takes 1 MiB. */
const maxBytes = 750_000;
/** Lengths to which long texts are cut, one after the other, until the reply fits. */
const cuts = [65_536, 16_384, 4_096, 1_024, 128];

/** A page of an experiment: as many whole records as fit. */
export async function experimentPage(
  { state }: Pick<SchedulerDeps, "state">,
  { experimentId, from, limit }: ExperimentQuery,
): Promise<ExperimentPage> {
  const experiment = await state.experiments.get(experimentId);
  if (!experiment) {
    const message = `no experiment ${JSON.stringify(experimentId)} is known (its data is kept 30 days after its end)`;
    return { status: "error", error: { code: "unknown-experiment", message, details: {} } };
  }
  const { record } = experiment;
  const end = Math.min(from + limit, record.episodes);
  const ids = Array.from({ length: Math.max(0, end - from) }, (_, i) => episodeId(experimentId, from + i));
  const episodes = fitting(await state.episodes.getMany(ids));
  const next = from + episodes.length;
  const more = episodes.length > 0 && next < record.episodes;
  return { status: "ok", experiment: record, episodes, next: more ? next : null };
}

/** The first records that fit in one reply, at least one: a huge one has its texts cut. */
function fitting(records: readonly EpisodeRecord[]): EpisodeRecord[] {
  const page: EpisodeRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    bytes += sizeOf(record);
    if (bytes > maxBytes && page.length > 0) break;
    page.push(bytes > maxBytes ? shortened(record) : record);
  }
  return page;
}

function shortened(record: EpisodeRecord): EpisodeRecord {
  return cutToFit(record, (max) => ({
    ...record,
    steps: record.steps.map((step) => clipped(step, max)),
  }));
}

function clipped(step: Step, max: number): Step {
  if (step.kind !== "act") return step;
  const { result } = step;
  return {
    ...step,
    arguments: Object.fromEntries(
      Object.entries(step.arguments).map(([name, value]) => [
        name,
        typeof value === "string" ? clipMiddle(value, max) : value,
      ]),
    ),
    result: result && { ...result, output: clipMiddle(result.output, max) },
  };
}

/** The conversation of an episode's latest trial; texts too long for one reply are cut in the middle. */
export async function conversationOf(
  { state }: Pick<SchedulerDeps, "state">,
  query: ConversationQuery,
): Promise<ConversationReply> {
  const record = await state.episodes.get(query.episodeId);
  if (!record) throw terminal("unknown-experiment", `no episode ${JSON.stringify(query.episodeId)} is known`);
  const conversation = await state.conversations.read({ episodeId: record.id, trial: record.trial });
  const cut = (max: number): Conversation =>
    conversation.map((message) => ({ ...message, content: clipMiddle(message.content, max) }));
  return { conversation: cutToFit(conversation, cut) };
}

function cutToFit<T>(whole: T, cut: (max: number) => T): T {
  let fit = whole;
  for (const max of cuts) {
    if (sizeOf(fit) <= maxBytes) return fit;
    fit = cut(max);
  }
  return fit;
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
