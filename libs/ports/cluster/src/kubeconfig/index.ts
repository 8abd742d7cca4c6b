export { connectCluster } from "./connect-cluster.ts";
export { openClusters } from "./open-clusters.ts";
export { type PrometheusAnswer, queryPrometheus } from "./query-prometheus.ts";
