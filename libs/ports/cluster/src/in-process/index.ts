export type * from "./api-in-process.types.ts";
export { createInProcessCluster } from "./create-in-process-cluster.ts";
export {
  type Access,
  createInProcessClusters,
  type InProcessClusters,
  type InProcessEntry,
} from "./create-in-process-clusters.ts";
export { type ServedAt, servedKubeconfig } from "./in-process-kubeconfig.ts";
export type { InProcessClusterOptions } from "./in-process-transport.ts";
