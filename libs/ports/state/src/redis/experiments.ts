import { isDeepStrictEqual } from "node:util";
import type { Experiments } from "../experiments.ts";
import { packed } from "../outbox.ts";
import { createExperimentParser } from "../record-parsers.ts";
import { retention } from "../retention.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** Episodes written in one script call. */
const chunk = 200;

export function createExperiments(redis: RedisLink, keys: Keys): Experiments {
  const outbox = [keys.outboxOrder, keys.outboxBodies, keys.outboxCounter];

  const { parse, latest, forgetAll } = createExperimentParser();
  redis.onLost(forgetAll);

  const extend: Experiments["extend"] = async ({ id, request }, planned, episodes) => {
    for (let from = 0; from < episodes.length; from += chunk) {
      const some = episodes.slice(from, from + chunk);
      const bodies = some.flatMap((episode) => [episode.id, episode.index, JSON.stringify(episode)]);
      const added = await redis.run(
        "create-episodes",
        [
          keys.experiment(id),
          keys.pending(id),
          keys.waiting,
          keys.ticket,
          keys.waitingOwners,
          ...some.map((episode) => keys.episode(episode.id)),
        ],
        [id, request.model.length, planned + from, ...bodies],
      );
      if (added === 0) return false;
    }
    return true;
  };

  const get: Experiments["get"] = (id) =>
    redis.use("reading an experiment", async (client) => {
      const key = keys.experiment(id);
      const fields = ["record", "done", "cancelled", "planned", "total", "cancelledBy"] as const;
      const [record, done, cancelled, planned, total, by] = await client.hmget(key, ...fields);
      if (!record) return undefined;
      return {
        record: parse(key, record),
        done: Number(done ?? 0),
        cancelled: cancelled === "1",
        ...(by === "agent" && { cancelledBy: by }),
        planned: Number(planned ?? 0),
        total: Number(total ?? 0),
      };
    });

  return {
    get,
    latest: (id) => latest(keys.experiment(id)),
    extend,
    create: async (record, { wants, episodes, messages }) => {
      const { id, request } = record;
      const key = keys.experiment(id);
      const lanes = request.model.length;
      await redis.use("creating an experiment", async (client) => {
        const clusters = request.clusters === undefined ? "" : JSON.stringify(request.clusters);
        const { maxParallel, priority, owner = "" } = request;
        const counts = { total: record.episodes, planned: 0, done: 0 };
        const fields = { wants, clusters, maxParallel, priority, lanes, owner, ...counts };
        const created = client.multi().hsetnx(key, "record", JSON.stringify(record));
        for (const [name, value] of Object.entries(fields)) created.hsetnx(key, name, value);
        await created.exec();
      });
      // An interrupted creation continues where it stopped; a concurrent one goes first.
      const known = await get(id);
      const isSame = isDeepStrictEqual(known?.record.request, request);
      const planned = known?.planned ?? 0;
      if (isSame && planned < episodes.length) await extend(record, planned, episodes.slice(planned));
      const started = await redis.run(
        "start-experiment",
        [key, keys.running, keys.waiting, keys.ticket, keys.experiments, ...outbox, keys.waitingOwners],
        [id, record.submittedAt, retention.listedSeconds, ...packed(messages)],
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
    waiting: () =>
      redis.use("listing experiments", async (client) => {
        const owners = await client.zrange(keys.waitingOwners, "0", "-1");
        const lines = owners.map((owner) => client.zrange(keys.waitingOf(owner), "0", "-1"));
        return (await Promise.all(lines)).flat();
      }),
    cancel: async (id, by) => {
      const experiment = await get(id);
      if (experiment?.record.status !== "running") return false;
      await redis.run("cancel-experiment", [keys.experiment(id)], [by ?? ""]);
      return true;
    },
    finish: async (record, messages) => {
      const { id } = record;
      const closed = await redis.run(
        "finish-experiment",
        [
          keys.experiment(id),
          keys.running,
          keys.waiting,
          keys.pending(id),
          keys.active(id),
          ...outbox,
          keys.ticket,
          keys.waitingOwners,
        ],
        [id, JSON.stringify(record), retention.finishedSeconds, ...packed(messages)],
      );
      return closed === 1;
    },
  };
}
