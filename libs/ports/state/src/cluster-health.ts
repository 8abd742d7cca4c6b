import { ClusterQuarantine } from "@microremed/contracts";
import type { Keys } from "./keys.ts";
import type { RedisLink } from "./redis-link.ts";
import { parseStored } from "./stored.ts";

/** Something that failed on a cluster. */
export interface ClusterFailure {
  readonly cluster: string;
  /** What failed: counted once, however often it is told. */
  readonly key: string;
  readonly weight: number;
}

/** What is held against clusters as a whole, and which of them get no episodes because of it. */
export interface ClusterHealth {
  /** Counts a failure; true: with it the cluster has reached `limit` and was quarantined just now. */
  blame(failure: ClusterFailure, limit: number, quarantine: ClusterQuarantine): Promise<boolean>;
  /** Something went well on it: what failed before does not count any more. */
  clear(cluster: string): Promise<void>;
  /** Names of clusters against which something is held. */
  suspected(): Promise<string[]>;
  quarantined(): Promise<ReadonlyMap<string, ClusterQuarantine>>;
  /** False: it was not quarantined. */
  release(cluster: string): Promise<boolean>;
}

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
