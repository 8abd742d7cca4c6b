import type { ClusterEntry } from "@microremed/contracts";
import { type Logger, wallClock } from "@microremed/core";
import type { Cluster } from "../cluster.types.ts";
import { createCluster } from "../create-cluster.ts";
import { type ApiRequests, connectRequests } from "./api-requests.ts";
import { execOverWebSocket } from "./exec-over-websocket.ts";
import { type ExecStream, type ExecStreamOptions, openExecStream } from "./exec-stream.ts";
import { readSeries } from "./query-prometheus.ts";
import { readKubeConfig } from "./read-kube-config.ts";
import { readsPathOf, readTogether } from "./read-together.ts";
import { renderKubeconfig } from "./render-kubeconfig.ts";
import { createServedClock } from "./served-clock.ts";
import { watchOverHttp } from "./watch-over-http.ts";

const prometheusMs = 30_000;

/** A cluster, and commands in its containers whose input and output are streams. */
export interface StreamingCluster {
  readonly cluster: Cluster;
  openExec(options: ExecStreamOptions): Promise<ExecStream>;
}

/** Reads the entry's kubeconfig; the first call to the API server is the caller's. */
export async function connectCluster(entry: ClusterEntry, options: { log: Logger }): Promise<Cluster> {
  return clusterOver(entry, await requestsOf(entry), options);
}

/** As `connectCluster`, for who runs programs in its containers. */
export async function connectStreamingCluster(
  entry: ClusterEntry,
  options: { log: Logger },
): Promise<StreamingCluster> {
  const requests = await requestsOf(entry);
  return {
    cluster: clusterOver(entry, requests, options),
    openExec: (exec) => openExecStream(entry.name, requests, exec),
  };
}

const requestsOf = ({ name, kubeconfig, context }: ClusterEntry): Promise<ApiRequests> =>
  connectRequests(name, () => readKubeConfig(kubeconfig, context));

function clusterOver(entry: ClusterEntry, requests: ApiRequests, { log }: { log: Logger }): Cluster {
  const { name, prometheus, sendsLoad = false, ownNameServer = false } = entry;
  const readsPath = readsPathOf(entry.clock);
  return createCluster({
    name,
    sendsLoad,
    ownNameServer,
    clock: entry.clock === undefined ? wallClock : createServedClock(name, entry.clock, requests, log),
    ...(prometheus !== undefined && {
      prometheus: (query: string) => readSeries(prometheus, query, prometheusMs),
    }),
    transport: {
      call: readsPath === undefined ? requests.call : readTogether(name, requests, readsPath),
      read: requests.read,
      text: requests.text,
      watch: (path, query, seen, signal) => watchOverHttp(requests, path, query, seen, signal),
      exec: (options) => execOverWebSocket(name, requests.config, options),
      kubeconfigFor: (access) => renderKubeconfig(requests.config, access),
      close: requests.close,
    },
  });
}
