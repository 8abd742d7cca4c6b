export type { Recipe, StepSeconds } from "./dataset.types.ts";
export { type Generated, type GenerateOptions, generateDataset } from "./generate-dataset.ts";
export type { OpenCluster } from "./run-case.ts";
