import type { Cluster } from "../cluster.types.ts";
import { createCluster } from "../create-cluster.ts";
import type { ApiInProcess } from "./api-in-process.types.ts";
import { createInProcessTransport, type InProcessClusterOptions } from "./in-process-transport.ts";

/** A cluster whose API server runs in this process: no socket, no waiting by the wall clock. */
export function createInProcessCluster(api: ApiInProcess, options: InProcessClusterOptions): Cluster {
  const transport = createInProcessTransport(api, options);
  return createCluster({ name: options.name, clock: api.clock, transport });
}
