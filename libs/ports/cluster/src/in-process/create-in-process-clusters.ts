import type { ClusterEntry } from "@microremed/contracts";
import { oneOf, terminal } from "@microremed/core";
import type { Cluster } from "../cluster.types.ts";
import type { Clusters } from "../clusters.types.ts";
import type { ApiInProcess } from "./api-in-process.types.ts";
import { createInProcessCluster } from "./create-in-process-cluster.ts";
import { originOf, parseInProcessKubeconfig } from "./in-process-kubeconfig.ts";

/** One cluster of this process, with the token of its administrator. */
export interface InProcessEntry {
  readonly name: string;
  readonly api: ApiInProcess;
  readonly adminToken: string;
  /** Default: 1. */
  readonly arenas?: number;
  /** Its arena starts each episode from the same moment: nothing else may be in it. Default: it goes on only. */
  readonly goesBack?: boolean;
}

/** A user's access to a cluster of this process, as a kubeconfig describes it. */
export interface Access {
  readonly cluster: Cluster;
  /** Where its commands go that name no namespace. */
  readonly namespace: string;
}

/** The clusters of this process: they stay as they are. */
export interface InProcessClusters extends Clusters {
  /** With the rights of a kubeconfig that one of the clusters gave. Throws `invalid-config` and `unknown-cluster`. */
  open(kubeconfig: string): Access;
}

/** The clusters of this process by name, each with the rights of its admin. Names must differ. */
export function createInProcessClusters(given: readonly InProcessEntry[]): InProcessClusters {
  const entries = given.map(
    ({ name, arenas = 1 }): ClusterEntry => ({ name, arenas, sendsLoad: true, kubeconfig: originOf(name) }),
  );
  const connected = new Map(
    given.map(({ name, api, adminToken, goesBack = false }) => [
      name,
      createInProcessCluster(api, { name, token: adminToken, goesBack }),
    ]),
  );
  const names = entries.map(({ name }) => name);
  const unknown = (name: string): Error =>
    terminal("unknown-cluster", `no cluster ${JSON.stringify(name)} in this process; known: ${oneOf(names)}`);
  return {
    names,
    entries,
    async get(name) {
      const cluster = connected.get(name);
      if (!cluster) throw unknown(name);
      return cluster;
    },
    open(kubeconfig) {
      const { cluster: name, namespace, token } = parseInProcessKubeconfig(kubeconfig);
      const entry = given.find((each) => each.name === name);
      if (!entry) throw unknown(name);
      return { cluster: createInProcessCluster(entry.api, { name, token }), namespace };
    },
    onChange: () => ({ [Symbol.dispose]: () => {} }),
    forget: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
