import { experimentIdOf } from "@microremed/contracts";
import { z } from "zod";
import { type ArenaStatus, type Arenas, arenaName } from "../arenas.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** Experiments looked at for one lease. */
const considered = 100;
const LeaseReply = z
  .tuple([z.string(), z.string(), z.string(), z.int(), z.int(), z.int(), z.int()])
  .nullable();

export function createArenas(redis: RedisLink, keys: Keys): Arenas {
  const status = (name: string): Promise<ArenaStatus> =>
    redis.use("reading an arena", async (client) => {
      const hash = await client.hgetall(keys.arena(name));
      return {
        cluster: hash["cluster"] ?? name.slice(0, name.lastIndexOf("/")),
        slot: Number(hash["slot"] ?? name.slice(name.lastIndexOf("/") + 1)),
        fence: Number(hash["fence"] ?? 0),
        episode: hash["episode"] ?? null,
        deployed: hash["deployed"] ?? null,
        quarantined: hash["quarantined"] ?? null,
        quarantinedAt: hash["quarantinedAt"] === undefined ? null : Number(hash["quarantinedAt"]) * 1000,
      };
    });

  /** Ends of leases are counted on one clock, Redis's own; ms. */
  const serverTime = async (): Promise<number> => {
    const [seconds, micros] = await redis.use("asking for the time", (client) => client.time());
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  };

  return {
    register: async (clusters) => {
      const slots = clusters.flatMap(({ name, arenas }) =>
        Array.from({ length: arenas }, (_, slot) => [name, slot] as const),
      );
      await redis.run("register-arenas", [keys.arenas, keys.freeArenas], [keys.prefix, ...slots.flat()]);
    },
    leaseNext: async ({ claimMs }) => {
      const reply = LeaseReply.parse(
        await redis.run(
          "lease-next",
          [keys.waiting, keys.freeArenas, keys.ticket, keys.leases, keys.quarantinedClusters],
          [keys.prefix, claimMs, considered],
        ),
      );
      if (!reply) return undefined;
      const [experimentId, episodeId, cluster, slot, fence, waiting, unplanned] = reply;
      return { experimentId, episodeId, cluster, slot, fence, waiting, unplanned };
    },
    expiring: async (withinMs) => {
      const now = await serverTime();
      const found = await redis.use("listing leases", (client) =>
        client.zrangebyscore(keys.leases, "-inf", now + withinMs, "WITHSCORES"),
      );
      const leases = Array.from({ length: found.length / 2 }, async (_, i) => {
        const { episode, cluster, slot, fence } = await status(found[2 * i] ?? "");
        const over = Number(found[2 * i + 1]) <= now;
        if (episode === null) return [];
        return [{ experimentId: experimentIdOf(episode), episodeId: episode, cluster, slot, fence, over }];
      });
      return (await Promise.all(leases)).flat();
    },
    renew: async (lease, leaseMs) => {
      const until = (await serverTime()) + leaseMs;
      await redis.use("renewing a lease", (client) =>
        client.zadd(keys.leases, "XX", until, arenaName(lease)),
      );
    },
    abandon: async (lease, episode) => {
      const { experimentId, episodeId } = lease;
      const name = arenaName(lease);
      const waits = episode?.state === "planned";
      const freed = await redis.run(
        "abandon-lease",
        [
          keys.arena(name),
          keys.leases,
          keys.freeArenas,
          keys.arenas,
          keys.pending(experimentId),
          keys.active(experimentId),
          keys.waiting,
          keys.ticket,
          keys.episode(episodeId),
          keys.experiment(experimentId),
        ],
        [name, lease.fence, episodeId, experimentId, waits ? episode.index : "", episode?.version ?? ""],
      );
      return freed === 1;
    },
    currentFence: async (arena) => (await status(arenaName(arena))).fence,
    list: async () => {
      const names = await redis.use("listing arenas", (client) => client.smembers(keys.arenas));
      return Promise.all(names.toSorted().map(status));
    },
    get: async (arena) => {
      const name = arenaName(arena);
      const known = await redis.use("reading an arena", (client) => client.sismember(keys.arenas, name));
      return { ...(await status(name)), known: known === 1 };
    },
    clustersInUse: () =>
      redis.use("listing clusters", async (client) => {
        const [known, leased] = await Promise.all([
          client.smembers(keys.arenas),
          client.zrange(keys.leases, "0", "-1"),
        ]);
        return new Set([...known, ...leased].map((name) => name.slice(0, name.lastIndexOf("/"))));
      }),
    readmit: async (arena) => {
      const name = arenaName(arena);
      const scriptKeys = [keys.arena(name), keys.arenas, keys.freeArenas];
      return (await redis.run("readmit-arena", scriptKeys, [name])) === 1;
    },
  };
}
