import type { Cluster, Clusters } from "@microremed/cluster";
import { createInProcessCluster } from "@microremed/cluster/in-process";
import type { ClusterEntry } from "@microremed/contracts";
import { oneOf, terminal } from "@microremed/core";
import type { SimCluster } from "@microremed/simcluster";

export interface HostedClustersOptions {
  /** Names of clusters that died with the former process: what still asks for them is answered that they are gone. */
  readonly former: readonly string[];
  /**
   * A hold lets the wall clock drive the time, at the time scale: for who runs programs outside of this process.
   * Otherwise holding does nothing, because time goes as fast as it can be computed while a caller sleeps.
   */
  readonly forPrograms: boolean;
}

/** The clusters of this process as a service knows them. Kubeconfigs that they give lead to where they listen. */
export function createHostedClusters(
  hosted: readonly SimCluster[],
  { former, forPrograms }: HostedClustersOptions,
): Clusters & { readonly left: readonly string[] } {
  const connected = new Map(hosted.map((cluster) => [cluster.name, connect(cluster, forPrograms)]));
  const names = [...connected.keys()];
  const entries = names.map(
    (name): ClusterEntry => ({ name, arenas: 1, sendsLoad: true, ownNameServer: true, kubeconfig: name }),
  );
  return {
    names,
    entries,
    left: former,
    async get(name) {
      const cluster = connected.get(name);
      if (cluster) return cluster;
      if (former.includes(name))
        throw terminal("cluster-unreachable", `cluster ${name} has died`, { cluster: name });
      throw terminal("unknown-cluster", `no cluster ${JSON.stringify(name)} here; known: ${oneOf(names)}`);
    },
    onChange: () => ({ [Symbol.dispose]: () => {} }),
    forget: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function connect({ name, local, loop, url, caPem, adminToken }: SimCluster, forPrograms: boolean): Cluster {
  const hold = async (): Promise<AsyncDisposable> => {
    const release = loop.hold();
    return { [Symbol.asyncDispose]: async () => release() };
  };
  const clock = forPrograms ? { ...local.clock, hold } : local.clock;
  return createInProcessCluster({ ...local, clock }, { name, token: adminToken, served: { url, caPem } });
}
