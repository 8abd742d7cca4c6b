import type { ClusterEntry } from "@microremed/contracts";
import { type Logger, wallClock } from "@microremed/core";
import type { Cluster } from "../cluster.types.ts";
import { createCluster } from "../create-cluster.ts";
import { connectRequests } from "./api-requests.ts";
import { execOverWebSocket } from "./exec-over-websocket.ts";
import { readSeries } from "./query-prometheus.ts";
import { readKubeConfig } from "./read-kube-config.ts";
import { renderKubeconfig } from "./render-kubeconfig.ts";
import { createServedClock } from "./served-clock.ts";
import { watchOverHttp } from "./watch-over-http.ts";

const prometheusMs = 30_000;

/** Reads the entry's kubeconfig; the first call to the API server is the caller's. */
export async function connectCluster(entry: ClusterEntry, { log }: { log: Logger }): Promise<Cluster> {
  const { name, prometheus } = entry;
  const requests = await connectRequests(name, () => readKubeConfig(entry.kubeconfig, entry.context));
  return createCluster({
    name,
    clock: entry.clock === undefined ? wallClock : createServedClock(name, entry.clock, requests, log),
    ...(prometheus !== undefined && {
      prometheus: (query: string) => readSeries(prometheus, query, prometheusMs),
    }),
    transport: {
      call: requests.call,
      read: requests.read,
      text: requests.text,
      watch: (path, query, seen, signal) => watchOverHttp(requests.config, path, query, seen, signal),
      exec: (options) => execOverWebSocket(name, requests.config, options),
      kubeconfigFor: (access) => renderKubeconfig(requests.config, access),
      close: requests.close,
    },
  });
}
