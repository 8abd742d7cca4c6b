import { EpisodeRecord } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { z } from "zod";
import { arenaName } from "../arenas.ts";
import type { ArenaEffect, Episodes } from "../episodes.ts";
import { numbered, packed } from "../outbox.ts";
import { retention } from "../retention.ts";
import { createParser } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const Reply = z.array(z.int());
const keptParsed = 256;

export function createEpisodes(redis: RedisLink, keys: Keys): Episodes {
  /** A step reads what the last one wrote, in most cases in the same process. */
  const records = createParser(EpisodeRecord, keptParsed);
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
    transition: async (expectedVersion, { next, messages, claimMs = 0, effect, lookAt }) => {
      const { id, experimentId, state, index } = next;
      const record: EpisodeRecord = { ...next, version: expectedVersion + 1 };
      const text = JSON.stringify(record);
      const reply = Reply.parse(
        await redis.run(
          "transition",
          [
            keys.episode(id),
            keys.experiment(experimentId),
            keys.pending(experimentId),
            keys.active(experimentId),
            keys.waiting,
            keys.ticket,
            keys.deadlines,
            keys.leases,
            keys.freeArenas,
            keys.arenas,
            keys.outboxOrder,
            keys.outboxBodies,
            keys.outboxCounter,
          ],
          [
            expectedVersion,
            text,
            state,
            id,
            experimentId,
            index,
            lookAt ?? "",
            retention.finishedSeconds,
            ...effectArguments(keys, effect),
            claimMs,
            ...packed(messages),
          ],
        ),
      );
      const [status, ...rest] = reply;
      if (status === 1) {
        const [allDone, first = 0] = rest;
        records.remember(nameOf(id), text, record);
        return { allDone: allDone === 1, messages: numbered(messages, first) };
      }
      if (status === 0) {
        throw retryable(
          "version-conflict",
          `episode ${id} has version ${rest[0]}, expected ${expectedVersion}`,
          {
            episodeId: id,
          },
        );
      }
      throw retryable("stale-lease", `episode ${id} no longer holds its arena`, { episodeId: id });
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
    lookAgain: (id, lookAt) =>
      redis.use("putting off the next look at an episode", async (client) => {
        await client.zadd(keys.deadlines, "XX", lookAt, id);
      }),
  };
}

function effectArguments(keys: Keys, effect: ArenaEffect | undefined): (string | number)[] {
  if (!effect) return ["", "", "", "", ""];
  const { kind, arena } = effect;
  const name = arenaName(arena);
  return [kind, keys.arena(name), name, arena.fence, textOf(effect)];
}

function textOf(effect: ArenaEffect): string | number {
  switch (effect.kind) {
    case "take":
      return effect.leaseMs;
    case "quarantine":
      return effect.reason;
    case "deployed":
      return effect.wants;
    default:
      return "";
  }
}
