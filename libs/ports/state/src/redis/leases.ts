import { experimentIdOf } from "@microremed/contracts";
import { z } from "zod";
import { type Arenas, arenaName, consideredExperiments, givingBackMs } from "../arenas.ts";
import type { ArenaReader } from "./arena-reader.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

const LeaseReply = z
  .tuple([z.string(), z.string(), z.string(), z.int(), z.int(), z.int(), z.int()])
  .nullable();

export function createLeases(
  redis: RedisLink,
  keys: Keys,
  read: ArenaReader,
): Pick<Arenas, "leaseNext" | "giveBack" | "expiring" | "renew" | "abandon" | "reclaim"> {
  /** Ends of leases are counted on one clock, Redis's own; ms. */
  const serverTime = async (): Promise<number> => {
    const [seconds, micros] = await redis.use("asking for the time", (client) => client.time());
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  };

  return {
    leaseNext: async ({ claimMs }) => {
      const reply = LeaseReply.parse(
        await redis.run(
          "lease-next",
          [
            keys.waiting,
            keys.freeArenas,
            keys.ticket,
            keys.leases,
            keys.quarantinedClusters,
            keys.pausedModels,
            keys.waitingOwners,
          ],
          [keys.prefix, claimMs, consideredExperiments],
        ),
      );
      if (!reply) return undefined;
      const [experimentId, episodeId, cluster, slot, fence, waiting, unplanned] = reply;
      return { experimentId, episodeId, cluster, slot, fence, waiting, unplanned };
    },
    giveBack: async ({ experimentId, episodeId, cluster, slot, fence }, isSilent) => {
      const name = arenaName({ cluster, slot });
      const reply = await redis.run(
        "give-back",
        [
          keys.waiting,
          keys.freeArenas,
          keys.leases,
          keys.quarantinedClusters,
          keys.pausedModels,
          keys.waitingOwners,
          keys.experiment(experimentId),
          keys.arena(name),
        ],
        [keys.prefix, consideredExperiments, name, cluster, fence, episodeId, isSilent ? 1 : 0, givingBackMs],
      );
      return reply === 1;
    },
    expiring: async (withinMs) => {
      const now = await serverTime();
      const found = await redis.use("listing leases", (client) =>
        client.zrangebyscore(keys.leases, "-inf", now + withinMs, "WITHSCORES"),
      );
      const leases = Array.from({ length: found.length / 2 }, async (_, i) => {
        const { episode, cluster, slot, fence } = await read(found[2 * i] ?? "");
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
          keys.waitingOwners,
        ],
        [name, lease.fence, episodeId, experimentId, waits ? episode.index : "", episode?.version ?? ""],
      );
      return freed === 1;
    },
    reclaim: async (lease, { reason, overMs }) => {
      const { experimentId, episodeId, fence } = lease;
      const name = arenaName(lease);
      const scriptKeys = [keys.arena(name), keys.leases, keys.active(experimentId)];
      return (await redis.run("reclaim-arena", scriptKeys, [name, fence, episodeId, overMs, reason])) === 1;
    },
  };
}
