import type { ArenaStatus } from "../arenas.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

/** Reads the arena `<cluster>/<slot>`, which may be unknown. */
export type ArenaReader = (name: string) => Promise<ArenaStatus>;

export function createArenaReader(redis: RedisLink, keys: Keys): ArenaReader {
  return (name) =>
    redis.use("reading an arena", async (client) => {
      const hash = await client.hgetall(keys.arena(name));
      return {
        cluster: hash["cluster"] ?? clusterOf(name),
        slot: Number(hash["slot"] ?? name.slice(name.lastIndexOf("/") + 1)),
        fence: Number(hash["fence"] ?? 0),
        episode: hash["episode"] ?? null,
        deployed: hash["deployed"] ?? null,
        quarantined: hash["quarantined"] ?? null,
        quarantinedAt: hash["quarantinedAt"] === undefined ? null : Number(hash["quarantinedAt"]) * 1000,
      };
    });
}

/** The cluster of the arena of this name. */
export function clusterOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/"));
}
