export { type BuildOptions, buildTraces, reasons, type Tally } from "./build-traces.ts";
export { makeTraces } from "./make-traces.ts";
export type { CaseTraces, TraceCase, TraceRecipe } from "./trace.types.ts";
