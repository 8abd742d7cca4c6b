import { type EpisodeRecord, ExperimentRecord } from "@microremed/contracts";
import type { Keys } from "./keys.ts";
import { type OutboxMessage, packed } from "./outbox.ts";
import type { RedisLink } from "./redis-link.ts";
import { retention } from "./retention.ts";
import { parseStored } from "./stored.ts";

export interface ExperimentProgress {
  readonly record: ExperimentRecord;
  readonly done: number;
  readonly cancelled: boolean;
}

export interface Experiments {
  /**
   * Stores an experiment, its planned episodes and the messages that say so. Idempotent: when it exists, that one is
   * returned with `created: false`; a creation that was cut short is completed.
   */
  create(
    record: ExperimentRecord,
    options: { wants: string; episodes: readonly EpisodeRecord[]; messages: readonly OutboxMessage[] },
  ): Promise<{ record: ExperimentRecord; created: boolean }>;
  get(id: string): Promise<ExperimentProgress | undefined>;
  /** The latest submitted, newest first. */
  list(limit: number): Promise<ExperimentRecord[]>;
  /** Ids of those that are not finished. */
  running(): Promise<string[]>;
  /** Ids of those with episodes that wait for an arena. */
  waiting(): Promise<string[]>;
  /** From now on none of its episodes gets an arena. False when there is none or it is finished. */
  cancel(id: string): Promise<boolean>;
  /** Closes an experiment whose episodes are all done; true for the one call that did. */
  finish(record: ExperimentRecord, messages: readonly OutboxMessage[]): Promise<boolean>;
}

const keptParsed = 100;
/** Episodes written in one script call. */
const chunk = 200;

export function createExperiments(redis: RedisLink, keys: Keys): Experiments {
  const outbox = [keys.outboxOrder, keys.outboxBodies, keys.outboxCounter];

  /** Read at every step of every episode, and hardly ever changed. */
  const parsed = new Map<string, { text: string; record: ExperimentRecord }>();
  const parse = (key: string, text: string): ExperimentRecord => {
    const known = parsed.get(key);
    if (known?.text === text) return known.record;
    const record = parseStored(ExperimentRecord, key, text);
    if (parsed.size >= keptParsed) parsed.clear();
    parsed.set(key, { text, record });
    return record;
  };

  const get: Experiments["get"] = (id) =>
    redis.use("reading an experiment", async (client) => {
      const key = keys.experiment(id);
      const [record, done, cancelled] = await client.hmget(key, "record", "done", "cancelled");
      if (!record) return undefined;
      return {
        record: parse(key, record),
        done: Number(done ?? 0),
        cancelled: cancelled === "1",
      };
    });

  return {
    get,
    create: async (record, { wants, episodes, messages }) => {
      const { id, request } = record;
      const key = keys.experiment(id);
      const lanes = request.model.length;
      await redis.use("creating an experiment", async (client) => {
        const clusters = request.clusters === undefined ? "" : JSON.stringify(request.clusters);
        const { maxParallel, priority } = request;
        const fields = { wants, clusters, maxParallel, priority, lanes, total: episodes.length, done: 0 };
        const created = client.multi().hsetnx(key, "record", JSON.stringify(record));
        for (const [name, value] of Object.entries(fields)) created.hsetnx(key, name, value);
        await created.exec();
      });
      for (let from = 0; from < episodes.length; from += chunk) {
        const some = episodes.slice(from, from + chunk);
        const open = await redis.run(
          "create-episodes",
          [key, keys.pending(id), ...some.map((episode) => keys.episode(episode.id))],
          [lanes, ...some.flatMap((episode) => [episode.id, episode.index, JSON.stringify(episode)])],
        );
        if (open === 0) break;
      }
      const started = await redis.run(
        "start-experiment",
        [key, keys.running, keys.waiting, keys.ticket, keys.experiments, ...outbox],
        [id, record.submittedAt, ...packed(messages)],
      );
      const stored = await get(id);
      return { record: stored?.record ?? record, created: started === 1 };
    },
    list: (limit) =>
      redis.use("listing experiments", async (client) => {
        const ids = await client.zrevrange(keys.experiments, "0", String(limit - 1));
        const found = await Promise.all(ids.map(get));
        return found.flatMap((experiment) => (experiment ? [experiment.record] : []));
      }),
    running: () => redis.use("listing experiments", (client) => client.smembers(keys.running)),
    waiting: () => redis.use("listing experiments", (client) => client.zrange(keys.waiting, "0", "-1")),
    cancel: async (id) => {
      const experiment = await get(id);
      if (experiment?.record.status !== "running") return false;
      await redis.use("cancelling an experiment", (client) =>
        client.hset(keys.experiment(id), "cancelled", 1),
      );
      return true;
    },
    finish: async (record, messages) => {
      const { id } = record;
      const closed = await redis.run(
        "finish-experiment",
        [keys.experiment(id), keys.running, keys.waiting, keys.pending(id), keys.active(id), ...outbox],
        [id, JSON.stringify(record), retention.finishedSeconds, ...packed(messages)],
      );
      return closed === 1;
    },
  };
}
