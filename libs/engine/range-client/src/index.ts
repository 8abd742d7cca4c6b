export { createRangeClient, type FullExperiment, type RangeClient } from "./create-range-client.ts";
