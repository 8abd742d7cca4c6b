import type { Episodes } from "../episodes.ts";
import { createEpisodeParser } from "../record-parsers.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { runTransition } from "./transition.ts";

export function createEpisodes(redis: RedisLink, keys: Keys): Episodes {
  const records = createEpisodeParser();
  redis.onLost(records.forgetAll);
  const nameOf = (id: string): string => `episode ${id}`;
  const getMany: Episodes["getMany"] = (ids) =>
    redis.use("reading episodes", async (client) => {
      const texts = await Promise.all(ids.map((id) => client.hget(keys.episode(id), "body")));
      return texts.flatMap((text, i) => (text === null ? [] : [records.parse(nameOf(ids[i] ?? ""), text)]));
    });

  return {
    getMany,
    get: async (id) => (await getMany([id]))[0],
    latest: (id) => records.latest(nameOf(id)),
    transition: async (expectedVersion, transition) => {
      const { record, text, transitioned } = await runTransition(redis, keys, expectedVersion, transition);
      records.remember(nameOf(record.id), text, record);
      return transitioned;
    },
    pending: (experimentId, limit) =>
      redis.use("listing episodes", (client) =>
        client.zrange(keys.pending(experimentId), "0", String(limit - 1)),
      ),
    pendingCount: (experimentId) =>
      redis.use("counting episodes", (client) => client.zcard(keys.pending(experimentId))),
    active: (experimentId) =>
      redis.use("listing episodes", (client) => client.smembers(keys.active(experimentId))),
    overdue: (now, limit) =>
      redis.use("listing episodes", (client) =>
        client.zrangebyscore(keys.deadlines, "-inf", now, "LIMIT", 0, limit),
      ),
    checkAgain: (id, checkAt) =>
      redis.use("putting off the deadline of an episode", async (client) => {
        await client.zadd(keys.deadlines, "XX", checkAt, id);
      }),
  };
}
