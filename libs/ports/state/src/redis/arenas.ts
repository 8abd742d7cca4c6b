import { type Arenas, arenaName } from "../arenas.ts";
import { clusterOf, createArenaReader } from "./arena-reader.ts";
import type { Keys } from "./keys.ts";
import { createLeases } from "./leases.ts";
import type { RedisLink } from "./redis-link.ts";

export function createArenas(redis: RedisLink, keys: Keys): Arenas {
  const read = createArenaReader(redis, keys);
  return {
    ...createLeases(redis, keys, read),
    register: async (clusters) => {
      const slots = clusters.flatMap(({ name, arenas }) =>
        Array.from({ length: arenas }, (_, slot) => [name, slot] as const),
      );
      await redis.run("register-arenas", [keys.arenas, keys.freeArenas], [keys.prefix, ...slots.flat()]);
    },
    currentFence: async (arena) => (await read(arenaName(arena))).fence,
    list: async () => {
      const names = await redis.use("listing arenas", (client) => client.smembers(keys.arenas));
      return Promise.all(names.toSorted().map(read));
    },
    get: async (arena) => {
      const name = arenaName(arena);
      const known = await redis.use("reading an arena", (client) => client.sismember(keys.arenas, name));
      return { ...(await read(name)), known: known === 1 };
    },
    clustersInUse: () =>
      redis.use("listing clusters", async (client) => {
        const [known, leased] = await Promise.all([
          client.smembers(keys.arenas),
          client.zrange(keys.leases, "0", "-1"),
        ]);
        return new Set([...known, ...leased].map(clusterOf));
      }),
    readmit: async (arena) => {
      const name = arenaName(arena);
      const scriptKeys = [keys.arena(name), keys.arenas, keys.freeArenas];
      return (await redis.run("readmit-arena", scriptKeys, [name])) === 1;
    },
  };
}
