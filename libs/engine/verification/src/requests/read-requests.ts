import { queryPrometheus } from "./query-prometheus.ts";
import type { RequestSource } from "./request-source.ts";
import { scrapePods } from "./scrape-pods.ts";

/** Asks the cluster's Prometheus where one is configured, else every program's own exporter. */
export const readRequests: RequestSource = (cluster, pods, nameOf) =>
  cluster.prometheus
    ? queryPrometheus(cluster.prometheus)(cluster, pods, nameOf)
    : scrapePods(cluster, pods, nameOf);
