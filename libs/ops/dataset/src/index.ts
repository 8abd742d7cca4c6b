export type { PlannedCase, Recipe, StepSeconds } from "./dataset.types.ts";
export {
  type CaseResult,
  type Generated,
  type GenerateOptions,
  generateDataset,
  type MakeOptions,
  makeCase,
} from "./generate-dataset.ts";
export type { OpenCluster } from "./run-case.ts";
