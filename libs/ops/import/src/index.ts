export {
  type CheckedCall,
  type CheckedWorkload,
  type CheckPlace,
  checkEnvironment,
  type EnvironmentCheck,
} from "./check-environment.ts";
export type { Finding } from "./findings.ts";
export { type Imported, type ImportRequest, importEnvironment } from "./import-environment.ts";
export type { Confidence } from "./marked.ts";
export type { Observed } from "./observed.ts";
export { type RunningSystem, readCluster } from "./read-cluster.ts";
export { readSource } from "./read-source.ts";
