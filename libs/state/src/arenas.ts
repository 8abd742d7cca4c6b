import type { EpisodeRecord } from "@microremed/contracts";
import { z } from "zod";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** One arena slot as it stands. */
export interface ArenaStatus {
  readonly cluster: string;
  readonly slot: number;
  readonly fence: number;
  /** Id of the episode that holds it. */
  readonly episode: string | null;
  /** `<environment>@<namespace>` of what was deployed there last. */
  readonly deployed: string | null;
  /** Why it is not used any more. */
  readonly quarantined: string | null;
  /** Wall clock, ms. */
  readonly quarantinedAt: number | null;
}

export interface Lease {
  readonly experimentId: string;
  readonly episodeId: string;
  readonly cluster: string;
  readonly slot: number;
  readonly fence: number;
}

export interface Arenas {
  /** Makes these the known arenas: `arenas` slots on each cluster, counted from 0. */
  register(clusters: readonly { name: string; arenas: number }[]): Promise<void>;
  /**
   * Leases a free arena to the next waiting episode: experiments take turns, within each the lowest index is first, and
   * an arena that holds the wanted environment is preferred. `undefined`: nothing can be leased now.
   */
  leaseNext(options: { leaseMs: number }): Promise<Lease | undefined>;
  /** Leases that end within `withinMs`, and which fence they have. */
  expiring(withinMs: number): Promise<Lease[]>;
  renew(lease: Pick<Lease, "cluster" | "slot">, leaseMs: number): Promise<void>;
  /**
   * Ends a lease that its episode does not know of (a scheduler died in between), or outlived. An episode that waits
   * goes back in the queue. False when lease or episode changed meanwhile.
   */
  abandon(lease: Lease, episode: EpisodeRecord | undefined): Promise<boolean>;
  /** The fencing token of the latest lease; 0 when the arena was never leased or is unknown. */
  currentFence(arena: { cluster: string; slot: number }): Promise<number>;
  list(): Promise<ArenaStatus[]>;
  /** A quarantined arena may be leased again; it counts as empty, so that the environment is deployed anew. */
  readmit(arena: { cluster: string; slot: number }): Promise<void>;
}

/** Experiments looked at for one lease. */
const considered = 100;
const LeaseReply = z.tuple([z.string(), z.string(), z.string(), z.int(), z.int()]).nullable();

export function arenaName(arena: { cluster: string; slot: number }): string {
  return `${arena.cluster}/${arena.slot}`;
}

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

  return {
    register: async (clusters) => {
      const slots = clusters.flatMap(({ name, arenas }) =>
        Array.from({ length: arenas }, (_, slot) => [name, slot] as const),
      );
      await redis.run("register-arenas", [keys.arenas, keys.freeArenas], [keys.prefix, ...slots.flat()]);
    },
    leaseNext: async ({ leaseMs }) => {
      const reply = LeaseReply.parse(
        await redis.run(
          "lease-next",
          [keys.waiting, keys.freeArenas, keys.ticket, keys.leases],
          [keys.prefix, leaseMs, considered],
        ),
      );
      if (!reply) return undefined;
      const [experimentId, episodeId, cluster, slot, fence] = reply;
      return { experimentId, episodeId, cluster, slot, fence };
    },
    expiring: async (withinMs) => {
      const names = await redis.use("listing leases", (client) =>
        client.zrangebyscore(keys.leases, "-inf", Date.now() + withinMs),
      );
      const arenas = await Promise.all(names.map(status));
      return arenas.flatMap(({ episode, cluster, slot, fence }) =>
        episode === null
          ? []
          : [{ experimentId: experimentOf(episode), episodeId: episode, cluster, slot, fence }],
      );
    },
    renew: (lease, leaseMs) =>
      redis.use("renewing a lease", async (client) => {
        await client.zadd(keys.leases, "XX", Date.now() + leaseMs, arenaName(lease));
      }),
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
    readmit: (arena) =>
      redis.use("readmitting an arena", async (client) => {
        const name = arenaName(arena);
        await client
          .multi()
          .hdel(keys.arena(name), "quarantined", "quarantinedAt", "deployed")
          .sadd(keys.freeArenas, name)
          .exec();
      }),
  };
}

/** An episode's id is its experiment's, a dot and its index. */
function experimentOf(episodeId: string): string {
  return episodeId.slice(0, episodeId.lastIndexOf("."));
}
