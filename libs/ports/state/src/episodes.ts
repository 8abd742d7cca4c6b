import { type Arena, EpisodeRecord } from "@microremed/contracts";
import { retryable } from "@microremed/core";
import { z } from "zod";
import { arenaName } from "./arenas.ts";
import type { Keys } from "./keys.ts";
import { type ClaimedMessage, numbered, type OutboxMessage, packed } from "./outbox.ts";
import type { RedisLink } from "./redis-link.ts";
import { retention } from "./retention.ts";
import { createParser } from "./stored.ts";

/** What a transition does to the episode's arena, in the same step. */
export type ArenaEffect =
  /** The episode knows of its lease, which from now on lasts `leaseMs`. */
  | { readonly kind: "take"; readonly arena: Arena; readonly leaseMs: number }
  | { readonly kind: "release"; readonly arena: Arena }
  | { readonly kind: "quarantine"; readonly arena: Arena; readonly reason: string }
  /** The arena holds this environment now. */
  | { readonly kind: "deployed"; readonly arena: Arena; readonly wants: string }
  /** `arena.fence` is one more than before: whoever still holds the old one is refused. */
  | { readonly kind: "refence"; readonly arena: Arena };

export interface Transition {
  readonly next: EpisodeRecord;
  readonly messages: readonly OutboxMessage[];
  /** How long only the caller publishes them, ms. Default 0: anybody may at once. */
  readonly claimMs?: number;
  readonly effect?: ArenaEffect | undefined;
  /** Wall clock, ms: when somebody is to look after the stage that is out now. */
  readonly lookAt?: number | undefined;
}

export interface Transitioned {
  /** It was the last of its experiment's episodes that was not done. */
  readonly allDone: boolean;
  /** Those of the transition, as they lie in the outbox. */
  readonly messages: readonly ClaimedMessage[];
}

export interface Episodes {
  get(id: string): Promise<EpisodeRecord | undefined>;
  /**
   * As this process read or wrote it last, if it remembers: nobody is asked, and it may be old. A transition from an old
   * one is a `version-conflict`. Nothing is remembered beyond the loss of the connection: a Redis that crashed may have
   * gone back to an earlier version.
   */
  latest(id: string): EpisodeRecord | undefined;
  /** In the order of the ids; those that do not exist are left out. */
  getMany(ids: readonly string[]): Promise<EpisodeRecord[]>;
  /**
   * Replaces the record of version `expectedVersion` by `next` (stored with the version after it) and puts the messages
   * in the outbox, all or nothing, claimed for `claimMs` by the caller, who is to publish them. Throws retryable
   * `version-conflict` when the record changed meanwhile and `stale-lease` when the arena is no longer the episode's.
   */
  transition(expectedVersion: number, transition: Transition): Promise<Transitioned>;
  /** Ids of an experiment's episodes that wait for an arena, model by model in the order of their index. */
  pending(experimentId: string, limit: number): Promise<string[]>;
  /** How many of an experiment's episodes wait for an arena. */
  pendingCount(experimentId: string): Promise<number>;
  /** Ids of an experiment's episodes that hold an arena. */
  active(experimentId: string): Promise<string[]>;
  /** Ids of episodes whose stage is to be looked after at `now`, longest first. */
  overdue(now: number, limit: number): Promise<string[]>;
  /** If a stage is still out, it is looked after again at this time. */
  lookAgain(id: string, lookAt: number): Promise<void>;
}

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
