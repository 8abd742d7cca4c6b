export type * from "./api-in-process.types.ts";
export { createInProcessCluster, type InProcessClusterOptions } from "./create-in-process-cluster.ts";
export {
  type Access,
  createInProcessClusters,
  type InProcessClusters,
  type InProcessEntry,
} from "./create-in-process-clusters.ts";
