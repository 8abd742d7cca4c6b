import { ClusterQuarantine } from "@microremed/contracts";
import type { ClusterHealth } from "../cluster-health.ts";
import { parseStored } from "../stored.ts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";

export function createClusterHealth(redis: RedisLink, keys: Keys): ClusterHealth {
  const { suspectedClusters, quarantinedClusters } = keys;
  return {
    blame: async ({ cluster, key, weight }, limit, quarantine) => {
      const args = [cluster, key, weight, limit, JSON.stringify(quarantine)];
      return (await redis.run("blame-cluster", [suspectedClusters, quarantinedClusters], args)) === 1;
    },
    clear: (cluster) =>
      redis.use("clearing a cluster", async (client) => {
        await client.hdel(suspectedClusters, cluster);
      }),
    suspected: () => redis.use("listing clusters", (client) => client.hkeys(suspectedClusters)),
    quarantined: async () => {
      const found = await redis.use("listing clusters", (client) => client.hgetall(quarantinedClusters));
      return new Map(
        Object.entries(found).map(([name, text]) => [
          name,
          parseStored(ClusterQuarantine, `${quarantinedClusters} ${name}`, text),
        ]),
      );
    },
    release: (cluster) =>
      redis.use("releasing a cluster", async (client) => {
        return (await client.hdel(quarantinedClusters, cluster)) === 1;
      }),
  };
}
