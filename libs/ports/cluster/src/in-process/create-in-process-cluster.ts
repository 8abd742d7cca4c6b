import type { Cluster } from "../cluster.types.ts";
import { createCluster } from "../create-cluster.ts";
import type { ApiInProcess } from "./api-in-process.types.ts";
import { createInProcessTransport, type InProcessClusterOptions } from "./in-process-transport.ts";

/**
 * A cluster whose API server runs in this process: no socket, no waiting by the wall clock. `goesBack`: with its snapshots.
 * It sends the load of its systems, and its arena has its name server for itself.
 */
export function createInProcessCluster(
  api: ApiInProcess,
  { goesBack = false, ...options }: InProcessClusterOptions & { readonly goesBack?: boolean },
): Cluster {
  const transport = createInProcessTransport(api, options);
  const { snapshots } = api;
  const moments = snapshots && {
    save: async (name: string) => void snapshots.take(name),
    goBack: async (name: string, salt: string) => snapshots.restore(name, salt) !== undefined,
  };
  return createCluster({
    ...{ name: options.name, clock: api.clock, transport, sendsLoad: true, ownNameServer: true },
    ...(goesBack && moments && { moments }),
  });
}
