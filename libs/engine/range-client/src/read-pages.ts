import type { Bus } from "@microremed/bus";
import {
  type Conversation,
  ConversationReply,
  EpisodeRecord,
  ExperimentPage,
  type ExperimentQuery,
  type ExperimentRecord,
  subjects,
} from "@microremed/contracts";
import { AppError, terminal } from "@microremed/core";

/** The scheduler answers from Redis, in milliseconds; after this it is not there. */
export const rpcMs = 10_000;
/** Bounds the paging over an experiment's episodes: twenty a page, and at most 1,000,000 of them. */
const maxPages = 100_000;
/** How often a record that changes while it is read is read again. */
const maxTries = 10;

type Query = Partial<ExperimentQuery> & Pick<ExperimentQuery, "experimentId">;
type Page = Pick<Extract<ExperimentPage, { status: "ok" }>, "experiment" | "episodes" | "next">;
type Part = Extract<ExperimentPage, { status: "part" }>;

/** A page of an experiment's episodes. Throws what the scheduler answers, e.g. `unknown-experiment`. */
export async function readPage(bus: Bus, query: Query): Promise<Page> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const reply = await ask(bus, query);
    if (reply.status === "ok") return reply;
    const page = await readLarge(bus, query, reply);
    if (page) return page;
  }
  throw terminal("internal", `an episode of ${query.experimentId} changes faster than it can be read`);
}

async function ask(bus: Bus, query: Query): Promise<Exclude<ExperimentPage, { status: "error" }>> {
  const options = { schema: ExperimentPage, timeoutMs: rpcMs };
  const reply = await bus.request(subjects.experimentQuery, query, options);
  if (reply.status === "error") throw new AppError(reply.error.code, reply.error.message);
  return reply;
}

/** One record, part by part; undefined: it has changed meanwhile. */
async function readLarge(bus: Bus, query: Query, first: Part): Promise<Page | undefined> {
  const { experiment, index, version, length } = first;
  let { text } = first;
  while (text.length < length) {
    const reply = await ask(bus, { ...query, from: index, offset: text.length });
    if (reply.status !== "part" || reply.version !== version || reply.text === "") return undefined;
    text += reply.text;
  }
  const next = index + 1 < experiment.episodes ? index + 1 : null;
  return { experiment, episodes: [EpisodeRecord.parse(JSON.parse(text))], next };
}

/** An experiment with all of its episodes. */
export async function readExperiment(
  bus: Bus,
  experimentId: string,
): Promise<{ readonly experiment: ExperimentRecord; readonly episodes: readonly EpisodeRecord[] }> {
  const episodes: EpisodeRecord[] = [];
  let from = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const reply = await readPage(bus, { experimentId, from });
    episodes.push(...reply.episodes);
    if (reply.next === null) return { experiment: reply.experiment, episodes };
    from = reply.next;
  }
  throw terminal("internal", `experiment ${experimentId} has more than ${maxPages} pages of episodes`);
}

/** Everything that was said in an episode. */
export async function readConversation(bus: Bus, episodeId: string): Promise<Conversation> {
  const options = { schema: ConversationReply, timeoutMs: rpcMs };
  const conversation: Conversation = [];
  let from = 0;
  for (let page = 0; page < maxPages; page += 1) {
    const reply = await bus.request(subjects.conversationQuery, { episodeId, from }, options);
    conversation.push(...reply.conversation);
    if (reply.next === null) return conversation;
    from = reply.next;
  }
  throw terminal("internal", `the conversation of ${episodeId} has more than ${maxPages} pages`);
}
