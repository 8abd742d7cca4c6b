import type { ClusterList, ClusterRelease, ClusterReleaseReply, ClusterStatus } from "@microremed/contracts";
import { oneOf, terminal } from "@microremed/core";
import type { ArenaStatus } from "@microremed/state";
import { releaseCluster } from "../cluster-watch.ts";
import type { SchedulerDeps } from "../service.types.ts";

/** Every registered cluster as it stands. */
export async function listClusters({
  state,
  clusters,
}: Pick<SchedulerDeps, "state" | "clusters">): Promise<ClusterList> {
  const [arenas, quarantined] = await Promise.all([state.arenas.list(), state.clusters.quarantined()]);
  return {
    clusters: clusters().map(({ name }) => ({
      name,
      quarantine: quarantined.get(name) ?? null,
      arenas: arenas.filter(({ cluster }) => cluster === name).map(shown),
    })),
  };
}

/** Ends the quarantine of a cluster and of its arenas, by hand. Throws `unknown-cluster`. */
export async function release(
  deps: Pick<SchedulerDeps, "state" | "clusters" | "log" | "dispatchSoon">,
  { cluster }: ClusterRelease,
): Promise<ClusterReleaseReply> {
  const names = deps.clusters().map(({ name }) => name);
  if (!names.includes(cluster))
    throw terminal("unknown-cluster", `no cluster ${cluster} is registered; known: ${oneOf(names)}`);
  return { released: await releaseCluster(deps, cluster) };
}

function shown({ slot, episode, deployed, quarantined }: ArenaStatus): ClusterStatus["arenas"][number] {
  const state = quarantined !== null ? "quarantined" : episode !== null ? "leased" : "free";
  return { slot, state, episode, deployed, reason: quarantined };
}
