export {
  type Incident,
  type Part,
  type PlannedCase,
  parts,
  type Recipe,
  type StepSeconds,
} from "./dataset.types.ts";
export {
  type CaseResult,
  type Generated,
  type GenerateOptions,
  generateDataset,
  type MakeOptions,
  makeCase,
} from "./generate-dataset.ts";
export { incidentPool } from "./incident-pool.ts";
export type { OpenCluster } from "./run-case.ts";
export { type Disjoint, splitIncidents } from "./split-parts.ts";
