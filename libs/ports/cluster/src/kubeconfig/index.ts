export { connectCluster, connectStreamingCluster, type StreamingCluster } from "./connect-cluster.ts";
export type { ExecStream, ExecStreamOptions } from "./exec-stream.ts";
export { openClusters } from "./open-clusters.ts";
export { type PrometheusAnswer, queryPrometheus, queryRange, type RangeQuery } from "./query-prometheus.ts";
