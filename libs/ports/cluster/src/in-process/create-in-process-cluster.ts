import type { Cluster } from "../cluster.types.ts";
import { createCluster } from "../create-cluster.ts";
import type { ApiInProcess } from "./api-in-process.types.ts";
import { createInProcessTransport } from "./in-process-transport.ts";

/** The cluster's name and the harness's credentials there. */
export interface InProcessClusterOptions {
  readonly name: string;
  /** Bearer token: whose rights the cluster has. */
  readonly token: string;
}

/** A cluster whose API server runs in this process: no socket, no waiting by the wall clock. */
export function createInProcessCluster(api: ApiInProcess, { name, token }: InProcessClusterOptions): Cluster {
  return createCluster({ name, clock: api.clock, transport: createInProcessTransport(api, name, token) });
}
